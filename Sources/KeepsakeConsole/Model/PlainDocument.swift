#if Console
import KeepsakeCoding
import KeepsakeDocuments

/// A document of any app: an object with an `id`.
struct PlainDocument: Codable, Identifiable, Sendable {
  let id: String
  let value: JSON.Value

  init(from decoder: any Decoder) throws {
    value = try JSON.Value(from: decoder)
    switch value["id"] {
    case .string(let id)?: self.id = id
    case .number(let number)?: id = number.description
    default:
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "the document has no id"))
    }
  }

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
#endif
