import Keepsake
import KeepsakeDirectories
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("The chapter about directories") struct DocumentationTests {
  @Test("has snippets that are compiled here") func snippets() throws {
    #expect(try linesOfSnippets(inArticle: "Directories", missingFrom: #filePath) == [])
  }

  func launch() throws {
    AppContainer.main = AppContainer(identifier: "com.example.HIITFit")
    print(AppContainer.main.documents)  // ~/.local/share/com.example.HIITFit/Documents
    switch try AppContainer.main.launch(version: "1.2") {
    case .first: print("welcome")
    case .updated(let version): print("what is new since \(version)")
    default: break
    }
  }

  struct WorkingDirectory {
    @AppStorage("workingDirectory") var bookmark: DirectoryBookmark?

    func choose() async throws {
      let panel = DirectoryPanel(message: "Choose your directory", prompt: "Choose")
      if let directory = try await SystemDirectoryChooser().chooseDirectory(panel) {
        bookmark = try DirectoryBookmark(directory: directory)  // a setting: see below
        let contents = try DirectoryContents(of: directory)
        print(contents.files, contents.skipped)
      }
    }

    func drop(_ text: String) -> Bool {
      do {
        workingDirectoryChosen(try URIList(text).directory())
        return true
      } catch {
        show("Drag a folder instead.", because: error)
        return false
      }
    }

    private func workingDirectoryChosen(_ path: FilePath) {}
    private func show(_ text: String, because error: any Error) {}
  }
}
