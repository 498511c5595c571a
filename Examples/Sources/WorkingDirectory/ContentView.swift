import Stage
import SystemPackage

/// The working directory, remembered from run to run, and how to choose another.
struct ContentView: View {
  @AppStorage("workingDirectory") private var bookmark: DirectoryBookmark?
  @StateObject private var directory = WorkingDirectory()

  var body: some View {
    VStack(spacing: 24) {
      WorkingDirectoryPrompt {
        workingDirectoryChosen($0)
      } onFailure: {
        directory.fail($0)
      }
      switch directory.state {
      case .none:
        Text("No folder has been chosen.")
      case .searching(let path):
        Text("Looking for \(path.string) …")
          .accessibilityStatus()
      case .found(let path, let contents):
        FileList(path: path, contents: contents)
        HStack(spacing: 8) {
          Button("List again") { open(bookmark) }
            .buttonStyle(.bordered)
          Button("Forget") { remember(nil) }
            .buttonStyle(.bordered)
        }
        if AppContainer.main.isDropped(path) {
          Text("This is a copy of the folder that you dragged. It is removed with the next choice.")
            .font(.caption)
        }
      case .unavailable(let reason):
        Label(reason, systemImage: "exclamationmark.triangle")
          .accessibilityStatus()
          .frame(maxWidth: 560)
        HStack(spacing: 8) {
          Button("Try again") { open(bookmark) }
            .buttonStyle(.bordered)
          Button("Forget") { remember(nil) }
            .buttonStyle(.bordered)
        }
      }
    }
    .padding(32)
    .onChange(of: bookmark, initial: true) { _, bookmark in open(bookmark) }
  }

  private func workingDirectoryChosen(_ url: URL) {
    do {
      remember(try DirectoryBookmark(directory: FilePath(url.path)))
    } catch {
      directory.fail(error)
    }
  }

  /// Stores a bookmark in place of the old one, whose directory is removed if it is a copy.
  private func remember(_ new: DirectoryBookmark?) {
    let old = bookmark?.path
    bookmark = new
    guard let old, new?.path.starts(with: old) != true else { return }
    do {
      try AppContainer.main.removeDropped(old)
    } catch {
      directory.fail(error)
    }
  }

  private func open(_ bookmark: DirectoryBookmark?) {
    directory.open(bookmark) { found in
      // It was moved: the next search is then a short one.
      if self.bookmark == bookmark { self.bookmark = found }
    }
  }
}
