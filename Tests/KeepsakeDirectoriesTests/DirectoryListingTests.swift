import Foundation
import KeepsakeDirectories
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

/// The listings B12 to B15, with what stands in place of AppKit.
@Suite("The listings about a chosen directory") struct DirectoryListingTests {
  /// An app's own way to ask.
  struct FixedChooser: DirectoryChooser {
    let directory: FilePath?
    func chooseDirectory(_ panel: DirectoryPanel) async throws -> FilePath? {
      #expect(panel.message == "Choose your directory")
      #expect(panel.prompt == "Choose")
      return directory
    }
  }

  /// B12, and what follows it: a directory is chosen, remembered and listed.
  func promptForWorkingDirectoryPermission(_ chooser: some DirectoryChooser) async throws
    -> FilePath?
  {
    let openPanel = DirectoryPanel(message: "Choose your directory", prompt: "Choose")
    return try await chooser.chooseDirectory(openPanel)
  }

  @Test("An open panel's directory is remembered and listed in the next run") func openPanel()
    async throws
  {
    try await withTemporaryDirectory { directory in
      try write("x", to: directory.appending("notes/today.txt"))
      try write("x", to: directory.appending("notes/.hidden"))
      let chosen = try await promptForWorkingDirectoryPermission(
        FixedChooser(directory: directory.appending("notes")))
      let stored = try DirectoryBookmark(directory: try #require(chosen)).rawValue
      let bookmark = try #require(DirectoryBookmark(rawValue: stored))
      let files = try bookmark.resolve().withAccess { _ in
        try DirectoryContents(of: directory.appending("notes")).files
      }
      #expect(files == ["today.txt"])
      #expect(try await promptForWorkingDirectoryPermission(FixedChooser(directory: nil)) == nil)
    }
  }

  /// B13.
  protocol DragDelegate: AnyObject {
    func handleDrag(from view: DragHandlingView, dragInfo: String) -> Bool
  }

  /// B13, for a toolkit that delivers `text/uri-list`.
  final class DragHandlingView {
    weak var delegate: (any DragDelegate)?
    func performDragOperation(_ sender: String) -> Bool {
      delegate?.handleDrag(from: self, dragInfo: sender) ?? false
    }
  }

  /// B14 and B15.
  final class WorkingDirectoryPromptViewController: DragDelegate {
    let view = DragHandlingView()
    private(set) var workingDirectory: FilePath?
    private(set) var alert: String?

    func viewDidLoad() { view.delegate = self }

    func handleDrag(from view: DragHandlingView, dragInfo: String) -> Bool {
      do {
        workingDirectory = try URIList(dragInfo).directory()
        return true
      } catch {
        alert = "Drag a folder instead."
        return false
      }
    }
  }

  @Test("A dropped directory is chosen, a dropped file is refused with an alert") func drag() throws
  {
    try withTemporaryDirectory { directory in
      try write("x", to: directory.appending("notes/today.txt"))
      let controller = WorkingDirectoryPromptViewController()
      #expect(!controller.view.performDragOperation("file:///tmp\r\n"))
      controller.viewDidLoad()
      let uri = "file://\(realPath(of: directory).string)/notes"
      #expect(!controller.view.performDragOperation("\(uri)/today.txt\r\n"))
      #expect(controller.alert == "Drag a folder instead.")
      #expect(controller.workingDirectory == nil)
      #expect(controller.view.performDragOperation("\(uri)\r\n"))
      #expect(controller.workingDirectory == realPath(of: directory).appending("notes"))
    }
  }
}
