import Foundation
import Keepsake
import KeepsakeTestSupport
import Testing

@Suite("The guide from Foundation's coders") struct MigratingCodersTests {
  typealias JSONDecoder = JSON.Decoder
  typealias JSONEncoder = JSON.Encoder
  typealias PropertyListDecoder = PropertyList.Decoder
  typealias PropertyListEncoder = PropertyList.Encoder

  @Test("has snippets that are compiled here") func snippets() throws {
    #expect(try linesOfSnippets(inArticle: "MigratingCoders", missingFrom: #filePath) == [])
  }

  struct Book: Codable, Equatable {
    var title: String
    var pageCount: Int
    var published: Date
  }

  struct Library {
    let decoder = JSONDecoder()
    let encoder = PropertyListEncoder()

    init() {
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      decoder.dateDecodingStrategy = .iso8601
      encoder.outputFormat = .xml
    }

    func books(from data: Data) throws -> [Book] {
      try decoder.decode([Book].self, from: data)
    }

    func saved(_ books: [Book]) throws -> Data {
      try encoder.encode(books)
    }
  }

  @Test("is right that the app reads what Foundation's coders wrote, and writes what they read")
  func sameData() throws {
    let books = [
      Book(title: "Dune", pageCount: 412, published: Date(timeIntervalSince1970: -140_000_000))
    ]
    let old = Foundation.JSONEncoder()
    old.keyEncodingStrategy = .convertToSnakeCase
    old.dateEncodingStrategy = .iso8601
    let library = Library()
    #expect(try library.books(from: old.encode(books)) == books)
    let new = try library.saved(books)
    #expect(try Foundation.PropertyListDecoder().decode([Book].self, from: new) == books)
    let oldList = try Foundation.PropertyListEncoder().encode(books)
    #expect(try PropertyListDecoder().decode([Book].self, from: oldList) == books)
    let plain = try JSONEncoder().encode(books)
    #expect(try Foundation.JSONDecoder().decode([Book].self, from: plain) == books)
  }

  @Test("is right about where an error is") func location() {
    let library = Library()
    do {
      _ = try library.books(from: Data(#"[{"title": "Dune", "page_count": "many"}]"#.utf8))
    } catch let error as DecodingError {
      print(error.location?.line ?? 0, error.location?.column ?? 0)  // 1 34
      #expect(error.location?.line == 1)
      #expect(error.location?.column == 34)
    } catch {
      Issue.record(error)
    }
  }
}
