import Foundation
import Keepsake
import SystemPackage
import Testing

@testable import Stage
@testable import WorkingDirectory

@Suite("A sheet to choose a directory in")
@MainActor
struct FileImporterTests {
  private struct Chooser: View {
    @State private var isPresented = false
    @State private var remark = "nothing"
    let root: FilePath

    var body: some View {
      Button("Open") { isPresented = true }
      Text(isPresented ? "open" : "closed")
      Text(remark)
        .fileImporter(
          isPresented: $isPresented, allowedContentTypes: [.folder],
          root: URL(filePath: root.string)
        ) { result in
          switch result {
          case .success(let url): remark = url.path
          case .failure(let error): remark = "\(error)"
          }
        }
        .fileDialogMessage("Where to?")
        .fileDialogConfirmationLabel("There")
    }
  }

  private let root: FilePath
  private let window: Stagehand.Window

  init() throws {
    let stage = try Stagehand()
    root = FilePath(
      URL(filePath: stage.container.temporary.string).resolvingSymlinksInPath().path)
    for name in ["a", "b/c"] { try LocalFileSystem().createDirectories(root.appending(name)) }
    window = try stage.open(Chooser(root: root))
  }

  private func filter(_ text: String) throws {
    let field = try #require(window.all { $0.attributes["type"] == "text" }.first)
    window.send(.input, to: field, value: text)
  }

  private func goUp() throws { try window.tap("Enclosing folder") }

  @Test("The directory that is shown is chosen") func choice() throws {
    #expect(!window.texts.contains("Where to?"))
    try window.tap("Open")
    #expect(window.texts.contains("Where to?"))
    #expect(window.texts.contains(root.string))
    try window.tap("b")
    try window.tap("c")
    #expect(window.texts.contains("No folders here."))
    try goUp()
    try window.tap("There")
    #expect(window.texts == ["Open", "closed", root.appending("b").string])
  }

  @Test("The way up ends at the root, also if the page goes on") func upward() throws {
    try window.tap("Open")
    for _ in 0..<3 { try goUp() }
    #expect(window.texts.contains(root.string))
    try window.tap("There")
    #expect(window.texts.last == root.string)
  }

  @Test("A user who cancels has chosen nothing") func cancel() throws {
    try window.tap("Open")
    try window.tap("Cancel")
    #expect(window.texts == ["Open", "closed", "nothing"])
  }

  @Test("A link that has taken the place of a directory does not lead out") func links() throws {
    try window.tap("Open")
    try FileManager.default.removeItem(atPath: root.appending("a").string)
    try FileManager.default.createSymbolicLink(
      atPath: root.appending("a").string, withDestinationPath: "/etc")
    try window.tap("a")
    #expect(window.texts.contains("Only folders in \(root) can be chosen."))
    // It cannot be chosen either, though the page says that it was.
    try window.tap("There")
    #expect(window.texts.contains("open"))
    try goUp()
    try window.tap("b")
    try FileManager.default.removeItem(atPath: root.appending("b").string)
    try FileManager.default.createSymbolicLink(
      atPath: root.appending("b").string, withDestinationPath: "/etc")
    try window.tap("There")
    #expect(window.texts.last == "Only folders in \(root) can be chosen.")
  }

  @Test("Of many directories some are shown, and a filter finds the others") func many() throws {
    for number in 0..<600 {
      try LocalFileSystem().createDirectory(root.appending("number \(number)"))
    }
    try window.tap("Open")
    #expect(window.texts.contains("102 more folders: use the filter."))
    #expect(window.all { $0.attributes["class"] == "plain" }.count == DirectorySheet.shownNames)
    try filter("NUMBER 59")
    #expect(window.all { $0.attributes["class"] == "plain" }.count == 11)
    try filter("none")
    #expect(window.texts.contains("No folder has such a name."))
  }

  @Test("Names that are equal strings are two names") func equalNames() throws {
    for name in ["\u{E4}", "a\u{308}"] {
      try LocalFileSystem().createDirectory(root.appending(name))
    }
    try window.tap("Open")
    #expect(window.all { $0.attributes["class"] == "plain" }.count == 4)
  }
}
