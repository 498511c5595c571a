#if Console
import KeepsakeConsole
import KeepsakeTestSupport
import Testing

@Suite("The chapter about the console") struct DocumentationTests {
  @Test("has snippets that are compiled here, and do nothing without being asked to")
  func snippets() throws {
    #expect(try linesOfSnippets(inArticle: "Console", missingFrom: #filePath) == [])
    Console.start()  // does something only with KEEPSAKE_CONSOLE=1 in the environment
  }
}
#endif
