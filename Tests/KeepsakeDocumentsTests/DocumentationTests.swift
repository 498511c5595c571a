import Foundation
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("The chapter about documents") struct DocumentationTests {
  @Test("has snippets that are compiled here") func snippets() throws {
    #expect(try linesOfSnippets(inArticle: "Documents", missingFrom: #filePath) == [])
  }

  @Test("does what it says") func firstSnippet() async throws {
    struct Card: Codable, Identifiable {
      var id = UUID()
      var title = ""
      var image: Asset?
    }

    try await withTemporaryDirectory { directory in
      let container = AppContainer(root: directory, identifier: "com.example.Cards")
      let cards = try DocumentStore<Card>(directory: container.documents, pathExtension: "rwcard")
      let card = try cards.add(Card(title: "Summer"))  // one object for all windows that show it
      card.edit { $0.title = "Winter" }  // saved within a second, or by save() and saveAll()
      try cards.saveAll()
      for await item in cards.loadAll() {  // in parallel; a bad file is one error, and is skipped
        print(item.result)
        #expect(item.document?.title == "Winter")
      }
    }
  }
}
