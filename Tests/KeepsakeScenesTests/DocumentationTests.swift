import KeepsakeFiles
import KeepsakeScenes
import KeepsakeTestSupport
import Testing

@Suite("The chapter about scenes") struct DocumentationTests {
  @Test("has snippets that are compiled here") func snippets() throws {
    #expect(try linesOfSnippets(inArticle: "Scenes", missingFrom: #filePath) == [])
  }

  struct TabsView {
    @SceneStorage("selectedTab") var tab = 0
  }

  @Test("does what it says") func firstSnippet() throws {
    try withTemporaryDirectory { directory in
      let container = AppContainer(root: directory, identifier: "com.example.HIITFit")
      let sessions = try SceneSessions(container: container)  // .main, in an app
      let session = try sessions.session(id: "main")  // the window as it was, or a new one
      SceneSession.$current.withValue(session) {
        TabsView().tab = 2  // in this window only
      }
      session.phase = .inactive
      let tabs = try [session, sessions.session()].map { session in
        SceneSession.$current.withValue(session) { TabsView().tab }
      }
      #expect(tabs == [2, 0])
    }
  }
}
