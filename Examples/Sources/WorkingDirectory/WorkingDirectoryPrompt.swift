import Stage

/// Asks for a directory: the user chooses one in a sheet, or drags one in.
struct WorkingDirectoryPrompt: View {
  @State private var isChoosing = false
  @State private var isWarning = false
  private let workingDirectoryChosen: @MainActor (URL) -> Void
  private let onFailure: @MainActor (any Error) -> Void

  init(
    workingDirectoryChosen: @escaping @MainActor (URL) -> Void,
    onFailure: @escaping @MainActor (any Error) -> Void
  ) {
    self.workingDirectoryChosen = workingDirectoryChosen
    self.onFailure = onFailure
  }

  var body: some View {
    VStack(spacing: 16) {
      Image(systemName: "folder")
        .font(.largeTitle)
      Text("Drag a folder here, or choose one.")
      Button("Choose …") { isChoosing = true }
    }
    .padding(32)
    .background(Color.gray.opacity(0.15))
    .cornerRadius(24)
    .dropDestination(for: URL.self) { urls, _ in handleDrag(urls) }
    .alert("Drag a folder instead.", isPresented: $isWarning)
    .fileImporter(isPresented: $isChoosing, allowedContentTypes: [.folder]) { result in
      switch result {
      case .success(let url): workingDirectoryChosen(url)
      case .failure(let error): onFailure(error)
      }
    }
    .fileDialogMessage("Choose your directory")
    .fileDialogConfirmationLabel("Choose")
  }

  private func handleDrag(_ urls: [URL]) -> Bool {
    guard urls.count == 1, urls[0].hasDirectoryPath else {
      isWarning = true
      return false
    }
    workingDirectoryChosen(urls[0])
    return true
  }
}
