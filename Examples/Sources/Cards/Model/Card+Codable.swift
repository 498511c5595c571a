import Stage

/// In a file the images and the texts of a card are two lists, and a third one, `order`, names them
/// all from the lowest to the highest.
///
/// A version that does not know the order reads the two lists as ever. What the order does not name
/// lies above what it names, the images below the texts.
extension Card: Codable {
  enum CodingKeys: CodingKey {
    case id, created, name, backgroundColor, imageElements, textElements, order
  }

  /// A key of any name.
  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    let container =
      try decoder
      .container(keyedBy: CodingKeys.self)
    id = try container.decode(UUID.self, forKey: .id)
    created = (try? container.decode(String.self, forKey: .created)).flatMap(Date.init(iso8601:))
    name = try? container.decode(String.self, forKey: .name)
    backgroundColor = container.decodeColor(forKey: .backgroundColor) ?? backgroundColor
    elements +=
      try container
      .decodeIfPresent([ImageElement].self, forKey: .imageElements) ?? []
    elements +=
      try container
      .decodeIfPresent([TextElement].self, forKey: .textElements) ?? []
    nameElements()
    let order = (try? container.decode([UUID].self, forKey: .order)) ?? []
    let places = Dictionary(zip(order, 0...)) { first, _ in first }
    elements = elements.enumerated()
      .sorted { (places[$0.1.id] ?? .max, $0.0) < (places[$1.1.id] ?? .max, $1.0) }
      .map(\.element)
    let others = try decoder.container(keyedBy: AnyKey.self)
    for key in others.allKeys where CodingKeys(stringValue: key.stringValue) == nil {
      self.others[key.stringValue] = try others.decode(JSON.Value.self, forKey: key)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id.uuidString, forKey: .id)
    try container.encodeIfPresent(created?.iso8601, forKey: .created)
    try container.encodeIfPresent(name, forKey: .name)
    try container.encode(backgroundColor.colorComponents(), forKey: .backgroundColor)
    try container.encode(elements.compactMap { $0 as? ImageElement }, forKey: .imageElements)
    try container.encode(elements.compactMap { $0 as? TextElement }, forKey: .textElements)
    try container.encode(elements.map(\.id), forKey: .order)
    var others = encoder.container(keyedBy: AnyKey.self)
    for (key, value) in self.others { try others.encode(value, forKey: AnyKey(stringValue: key)) }
  }

  /// Gives each element that has no identity, or another's, one of its own: the same ones each time
  /// the file is read.
  private mutating func nameElements() {
    var taken: Set<UUID> = [TextElement.unnamed]
    for index in elements.indices where !taken.insert(elements[index].id).inserted {
      var bytes = id.uuid
      bytes.14 ^= UInt8(truncatingIfNeeded: (index + 1) >> 8)
      bytes.15 ^= UInt8(truncatingIfNeeded: index + 1)
      var name = UUID(uuid: bytes)
      while !taken.insert(name).inserted {
        bytes.13 &+= 1
        name = UUID(uuid: bytes)
      }
      elements[index].id = name
    }
  }
}

extension Date {
  private static let precise = ISO8601FormatStyle(includingFractionalSeconds: true)

  fileprivate init?(iso8601 text: String) {
    guard
      let date = (try? Date(text, strategy: Self.precise)) ?? (try? Date(text, strategy: .iso8601))
    else { return nil }
    self = date
  }

  /// With milliseconds, in the middle of which a date is put so that reading it again changes nothing.
  fileprivate var iso8601: String {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded()
    let date = Date(timeIntervalSince1970: (milliseconds + 0.25) / 1000)
    return milliseconds.remainder(dividingBy: 1000) == 0
      ? date.formatted(.iso8601) : date.formatted(Self.precise)
  }
}
