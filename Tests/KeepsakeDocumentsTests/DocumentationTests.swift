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

      let new = Card(title: "Autumn")
      try cards.create(new)  // `exists` if there is one of that identity
      try cards.edit(new.id) { $0.title += " 2026" }  // atomic among all tasks and processes
      print(try cards.load(new.id).title)
      #expect(try cards.load(new.id).title == "Autumn 2026")
      try cards.remove(new.id)  // into the trash
      #expect(try cards.ids() == [card.id])
    }
  }
}
