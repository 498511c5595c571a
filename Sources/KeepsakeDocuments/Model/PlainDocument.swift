package import KeepsakeCoding

/// A document of any app: an object with an `id`.
package struct PlainDocument: Codable, Identifiable, Sendable {
  package let id: String
  package let value: JSON.Value

  package init(from decoder: any Decoder) throws {
    value = try JSON.Value(from: decoder)
    switch value["id"] {
    case .string(let id)?: self.id = id
    case .number(let number)?: id = number.description
    default:
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "the document has no id"))
    }
  }

  package func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
