/// Something that the user did with an element.
package struct Event: Equatable {
  /// What was done; a script of an app may tell of more than these.
  package struct Kind: Hashable, RawRepresentable, Decodable {
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The user tapped it, or chose it with the keyboard.
    package static let tap = Kind(rawValue: "tap")
    /// The user changed the text, or the choice, of a field.
    package static let input = Kind(rawValue: "input")
    /// The user is done with a sheet.
    package static let dismiss = Kind(rawValue: "dismiss")
    /// The user looks at some of a grid's views: the first, and how many.
    package static let range = Kind(rawValue: "range")
  }

  package let kind: Kind
  package var id: String
  /// A text.
  package var value: String?
  /// Numbers, which the page may have wrong.
  package var numbers: [Double] = []
  /// Whether a movement begins with it.
  package var isFirst = false

  package init(_ kind: Kind, of id: String) {
    self.kind = kind
    self.id = id
  }
}

extension Event: Decodable {
  private enum CodingKeys: CodingKey {
    case kind, id, value, numbers, first
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    kind = try container.decode(Kind.self, forKey: .kind)
    id = try container.decode(String.self, forKey: .id)
    value = try container.decodeIfPresent(String.self, forKey: .value)
    numbers = try container.decodeIfPresent([Double].self, forKey: .numbers) ?? []
    isFirst = try container.decodeIfPresent(Bool.self, forKey: .first) ?? false
  }
}
