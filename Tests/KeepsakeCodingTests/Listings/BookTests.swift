import Foundation
import KeepsakeCoding
import Testing

/// What a card's picture would be on a platform that has `UIImage`: its bytes are all that is
/// looked at here.
private struct Thumbnail {
  let byteCount: Int

  init?(data: Data) {
    guard data.starts(with: [0x89, 0x50, 0x4E, 0x47]) else { return nil }
    byteCount = data.count
  }
}

extension Listings {
  @Suite("The service of books")
  struct BookTests {
    private static let first =
      #"Book(id: "comb", name: "Combine: Asynchronous Programming with Swift", authors: "#
      + #"["Scott Gardner", "Shai Mishali", "Forent Pillet", "Marin Todorov"]"#
    private static let sentence =
      "Combine: Asynchronous Programming with Swift (comb) by Scott Gardner, Shai Mishali, "
      + "Forent Pillet, Marin Todorov. Get it at: https://store.raywenderlich.com/products/"
      + "combine-asynchronous-programming-with-swift"

    @Test("Properties that are named like their keys come for free")
    func propertiesThatAreNamedLikeTheirKeys() throws {
      struct Book: Decodable {
        let id: String
        let name: String
        let authors: [String]
      }
      let data = try API.getData(for: .rwBooks)
      let decoder = JSONDecoder()
      let books = try decoder.decode([Book].self, from: data)
      var output = Output()
      output.print("—— Example of: Books ——")
      output.print(books)
      try #require(output.lines[0] == "—— Example of: Books ——")
      try #require(output.lines[1].contains(Self.first + ")"))
      Listing.ran(4, 5)
    }

    private struct LinkedBook: Decodable {
      let id: String
      let name: String
      let authors: [String]
      let storeLink: URL
    }

    @Test("A key in snake case is not found, and found with the strategy") func aKeyInSnakeCase()
      throws
    {
      let data = try API.getData(for: .rwBooks)
      let decoder = JSONDecoder()
      do {
        _ = try decoder.decode([LinkedBook].self, from: data)
        Issue.record("a key was found that is not there")
      } catch DecodingError.keyNotFound(let key, let context) {
        try #require(key.stringValue == "storeLink")
        try #require(
          context.debugDescription.hasPrefix(
            #"No value associated with key CodingKeys(stringValue: "storeLink", intValue: nil)"#))
        try #require(context.codingPath.map(\.stringValue) == ["Index 0"])
      }
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      let books = try decoder.decode([LinkedBook].self, from: data)
      try #require(
        "\(books)".contains(
          "storeLink: https://store.raywenderlich.com/products/"
            + "combine-asynchronous-programming-with-swift)"))
      Listing.ran(6, 7)
    }

    private struct Book: Decodable {
      let id: String
      let name: String
      let authors: [String]
      let storeLink: URL
      let imageBlob: Data
      var image: Thumbnail? { Thumbnail(data: imageBlob) }
    }

    private func printed(_ books: [Book]) throws -> [String] {
      var output = Output()
      for book in books {
        output.print(
          "\(book.name) (\(book.id))", "by \(book.authors.joined(separator: ", ")).",
          "Get it at: \(book.storeLink)")
        try #require(book.image?.byteCount == 48)
      }
      return output.lines
    }

    @Test("A picture comes along as base64") func aPictureComesAlongAsBase64() throws {
      let data = try API.getData(for: .rwBooks)
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      decoder.dataDecodingStrategy = .base64
      let books = try decoder.decode([Book].self, from: data)
      let lines = try printed(books)
      try #require(lines.count == 3)
      try #require(lines[0] == Self.sentence)
      Listing.ran(8, 9, 11, 14)
    }

    @Test("Keys can be given by hand") func keysCanBeGivenByHand() throws {
      struct Book: Decodable {
        let id: String
        let name: String
        let authors: [String]
        let storeLink: URL
        let imageBlob: Data

        enum CodingKeys: String, CodingKey {
          case id, name, authors
          case storeLink = "store_link"
          case imageBlob = "image_blob"
        }
      }
      let books = try JSONDecoder().decode([Book].self, from: API.getData(for: .rwBooks))
      try #require(books.map(\.id) == ["comb", "first", "second"])
      try #require(
        books[0].storeLink.path == "/products/combine-asynchronous-programming-with-swift")
      try #require(books[2].imageBlob.count == 48)
      Listing.ran(13)
    }

    @Test("Keys in kebab case take a strategy of one's own") func keysInKebabCaseTakeAStrategy()
      throws
    {
      let data = try API.getData(for: .rwBooksKebab)
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      do {
        _ = try decoder.decode([Book].self, from: data)
        Issue.record("a key was found that is not there")
      } catch DecodingError.keyNotFound(_, let context) {
        try #require(
          context.debugDescription.hasPrefix(
            #"No value associated with key CodingKeys(stringValue: "storeLink", intValue: nil) "#
              + #"("storeLink")"#))
      }
      decoder.keyDecodingStrategy = .convertFromKebabCase
      let lines = try printed(decoder.decode([Book].self, from: data))
      try #require(lines.count == 3)
      try #require(lines[0] == Self.sentence)
      Listing.ran(15, 16, 17, 18, 19, 20)
    }
  }
}

extension JSONDecoder.KeyDecodingStrategy {
  /// The strategy of the listing, which has the name of one of this package.
  static var convertFromKebabCase: JSONDecoder.KeyDecodingStrategy {
    .custom { keys in
      guard let codingKey = keys.last, codingKey.stringValue.contains("-") else {
        return keys[keys.count - 1]
      }
      let words = codingKey.stringValue.components(separatedBy: "-")
      let camelCased = words[0] + words[1...].map(\.capitalized).joined()
      return AnyCodingKey(stringValue: camelCased) ?? codingKey
    }
  }
}
