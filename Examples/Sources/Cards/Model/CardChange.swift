import Stage

/// A change of a card that can be kept and made later, and that leaves alone what it does not concern.
enum CardChange: Codable, Sendable {
  /// Properties of an element, or of the card where none is named, and what they replace; null stands for
  /// no value.
  case set(
    element: UUID?, properties: [String: JSON.Value], replacing: [String: JSON.Value]? = nil)
  /// An image above another element; at the bottom where none is named.
  case addImage(ImageElement, above: UUID?)
  /// A text above another element; at the bottom where none is named.
  case addText(TextElement, above: UUID?)
  case remove(element: UUID)
  /// An element gets another level.
  case level(element: UUID, above: UUID?)

  /// The element that the change concerns; nil for the card itself.
  var element: UUID? {
    switch self {
    case .set(let id, _, _): id
    case .addImage(let image, _): image.id
    case .addText(let text, _): text.id
    case .remove(let id), .level(let id, _): id
    }
  }

  /// The changes that make one card of another.
  static func changes(from old: Card, to new: Card) -> [CardChange] {
    var changes: [CardChange] = []
    func compare(_ id: UUID?, _ old: some Encodable, _ new: some Encodable) {
      let (before, after) = (properties(of: old), properties(of: new))
      let keys = Set(before.keys + after.keys).filter { before[$0] != after[$0] }
      if keys.isEmpty { return }
      func values(_ object: JSON.Object) -> [String: JSON.Value] {
        Dictionary(uniqueKeysWithValues: keys.map { ($0, object[$0] ?? .null) })
      }
      changes.append(.set(element: id, properties: values(after), replacing: values(before)))
    }
    compare(nil, old.bare, new.bare)
    changes += old.elements.filter { new[$0.id] == nil }.map { .remove(element: $0.id) }
    var order = old.elements.map(\.id).filter { new[$0] != nil }
    for (index, element) in new.elements.enumerated() {
      let above = index == 0 ? nil : new.elements[index - 1].id
      if let before = old[element.id] {
        compare(element.id, before, element)
        if order[index] == element.id { continue }
        changes.append(.level(element: element.id, above: above))
        order.removeAll { $0 == element.id }
      } else if let image = element as? ImageElement {
        changes.append(.addImage(image, above: above))
      } else if let text = element as? TextElement {
        changes.append(.addText(text, above: above))
      }
      order.insert(element.id, at: index)
    }
    return changes
  }

  /// Why a change cannot be made.
  enum Obstacle {
    /// Its element is gone.
    case removed
    /// What it concerns has been given yet another value.
    case changed
  }

  /// Those properties that are still what is to be replaced.
  fileprivate static func possible(
    _ properties: [String: JSON.Value], replacing replaced: [String: JSON.Value]?,
    in value: some Encodable
  ) -> (properties: [String: JSON.Value], obstacle: Obstacle?) {
    let current = Self.properties(of: value)
    let possible = properties.filter { key, new in
      let now = current[key] ?? .null
      return now == new || now == replaced?[key] ?? now
    }
    return (possible, possible.count < properties.count ? .changed : nil)
  }

  fileprivate static func properties(of value: some Encodable) -> JSON.Object {
    guard let bytes = try? JSON.Encoder().encodeToBytes(value),
      case .object(let object) = try? JSON.Value(parsing: bytes)
    else { return JSON.Object() }
    return object
  }
}

extension Card {
  /// The card without what is on it.
  fileprivate var bare: Card {
    var card = self
    card.elements = []
    return card
  }

  /// Makes changes, as far as what they concern is still there, and is what they replace.
  ///
  /// - Returns: Why some could not be made; nil where all could.
  mutating func apply(_ changes: [CardChange]) -> CardChange.Obstacle? {
    var obstacle: CardChange.Obstacle?
    for change in changes { if let found = apply(change) { obstacle = found } }
    return obstacle
  }

  private mutating func apply(_ change: CardChange) -> CardChange.Obstacle? {
    switch change {
    case .set(nil, let properties, let replaced):
      let change = CardChange.possible(properties, replacing: replaced, in: bare)
      guard var card = try? bare.setting(change.properties) else { return .removed }
      card.elements = elements
      self = card
      return change.obstacle
    case .set(let id?, let properties, let replaced):
      guard let index = elements.firstIndex(where: { $0.id == id }) else { return .removed }
      let change = CardChange.possible(properties, replacing: replaced, in: elements[index])
      guard let element = try? elements[index].setting(change.properties) else { return .removed }
      elements[index] = element
      return change.obstacle
    case .addImage(let image, let other): add(image, above: other)
    case .addText(let text, let other): add(text, above: other)
    case .remove(let id): elements.removeAll { $0.id == id }
    case .level(let id, let other):
      guard let element = self[id], other == nil || self[other] != nil else { return .removed }
      elements.removeAll { $0.id == id }
      add(element, above: other)
    }
    return nil
  }

  private mutating func add(_ element: any CardElement, above other: UUID?) {
    if self[element.id] != nil { return }
    let below = elements.firstIndex { $0.id == other }
    elements.insert(element, at: other == nil ? 0 : below.map { $0 + 1 } ?? elements.count)
  }
}

extension Decodable where Self: Encodable {
  /// The same with other values of some properties.
  fileprivate func setting(_ properties: [String: JSON.Value]) throws -> Self {
    var object = CardChange.properties(of: self)
    for (key, value) in properties { object[key] = value == .null ? nil : value }
    return try JSON.Decoder().decode(
      Self.self, from: JSON.Encoder().encodeToBytes(JSON.Value.object(object)))
  }
}
