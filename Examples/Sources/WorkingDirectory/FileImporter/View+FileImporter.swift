import Stage
import SystemPackage

extension View {
  /// Shows a sheet in which the user chooses a directory while a value is true.
  ///
  /// - Parameters:
  ///   - isPresented: Whether the sheet is shown; it turns false when the user is done.
  ///   - allowedContentTypes: What can be chosen; only directories can.
  ///   - root: The directory to begin with; nothing outside it can be seen or chosen. The user's home
  ///     directory by default.
  ///   - onCompletion: Receives the directory, without symbolic links, or why it can no longer be
  ///     chosen. It is not called if the user cancels.
  func fileImporter(
    isPresented: Binding<Bool>, allowedContentTypes: [UTType], root: URL? = nil,
    onCompletion: @escaping @MainActor (Result<URL, any Error>) -> Void
  ) -> some View {
    sheet(isPresented: isPresented) {
      DirectorySheet(root: root.map { FilePath($0.path) } ?? .home) { result in
        isPresented.wrappedValue = false
        if let result { onCompletion(result) }
      }
    }
  }

  /// Says above the directories of `fileImporter` what to choose.
  func fileDialogMessage(_ message: some StringProtocol) -> some View {
    environment(\.fileDialogMessage, String(message))
  }

  /// Sets what the button of `fileImporter` says.
  func fileDialogConfirmationLabel(_ label: some StringProtocol) -> some View {
    environment(\.fileDialogConfirmationLabel, String(label))
  }
}

extension FilePath {
  /// The user's home directory: that of the environment first, which Foundation does not ask.
  fileprivate static var home: FilePath {
    if let home = ProcessInfo.processInfo.environment["HOME"], home.hasPrefix("/") {
      return FilePath(home)
    }
    return FilePath(NSHomeDirectory())
  }
}
