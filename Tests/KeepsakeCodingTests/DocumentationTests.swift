import Foundation
import KeepsakeCoding
import KeepsakeTestSupport
import Testing

@Suite("The chapter about coding") struct DocumentationTests {
  @Test("has snippets that are compiled here") func snippets() throws {
    #expect(try linesOfSnippets(inArticle: "Coding", missingFrom: #filePath) == [])
  }

  @Test("does what it says") func firstSnippet() throws {
    struct Book: Decodable {
      var pageCount: Int
      var published: Date
    }
    let text = #"[{"page_count": 320, "published": "1970-01-01T00:00:01Z"}]"#
    let data = Data(text.utf8)

    let decoder = JSON.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    let books = try decoder.decode([Book].self, from: data)

    let any = try JSON.Value(parsing: text)  // keeps the order of keys and all digits of numbers

    #expect(books.map(\.pageCount) == [320])
    #expect(books.map(\.published.timeIntervalSince1970) == [1])
    #expect(any == [["page_count": 320, "published": "1970-01-01T00:00:01Z"]])
  }
}
