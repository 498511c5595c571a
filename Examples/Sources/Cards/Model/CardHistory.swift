import Stage

/// The changes that undo and redo the steps on the card of a window, the next one last.
///
/// It is kept as JSON. The oldest steps are dropped where there would be too many, or too long ones.
struct CardHistory: RawRepresentable, Sendable {
  private struct Content: Codable {
    var card: UUID?
    var undo: [[CardChange]] = []
    var redo: [[CardChange]] = []
    /// What could be made again before the last step.
    var redoBefore: [[CardChange]]?
    /// Whether the last movement was no step in the end: what goes on with it does not go on with the step before.
    var isGivenUp: Bool?
  }

  private static let stepLimit = 100
  private static let byteLimit = 64 << 10

  private var content = Content()

  /// A history without steps.
  init(of card: UUID? = nil) {
    content.card = card
  }

  init?(rawValue: String) {
    guard let content = try? JSON.Decoder().decode(Content.self, from: Array(rawValue.utf8)) else {
      return nil
    }
    self.content = content
  }

  var rawValue: String {
    (try? JSON.Encoder().encodeToBytes(content)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  var card: UUID? { content.card }
  var canUndo: Bool { !content.undo.isEmpty }
  var canRedo: Bool { !content.redo.isEmpty }

  /// Whether a step adds an element, changes or removes it.
  func concerns(_ element: UUID) -> Bool {
    (content.undo + content.redo).joined().contains { $0.element == element }
  }

  /// Notes a new step.
  ///
  /// - Parameters:
  ///   - inverse: What undoes it.
  ///   - isContinued: Whether it goes on with the last one, as a movement does that is under way.
  mutating func record(_ inverse: [CardChange], isContinued: Bool) {
    if inverse.isEmpty { return }
    if isContinued, !canRedo, content.isGivenUp != true,
      case .set(let id, let old, let replaced) = content.undo.last?.first,
      case .set(id, let new, let newlyReplaced) = inverse.first, content.undo.last?.count == 1,
      inverse.count == 1
    {
      let before = old.merging(new) { first, _ in first }
      let now = (replaced ?? [:]).merging(newlyReplaced ?? [:]) { _, last in last }
      content.undo.removeLast()
      if before == now {
        content.redo = content.redoBefore ?? []
        (content.redoBefore, content.isGivenUp) = (nil, true)
        return
      }
      content.undo.append([.set(element: id, properties: before, replacing: now)])
    } else {
      content.undo.append(inverse)
      (content.redoBefore, content.isGivenUp) = (content.redo.isEmpty ? nil : content.redo, nil)
    }
    content.redo = []
    if rawValue.utf8.count > Self.byteLimit { content.redoBefore = nil }
    while content.undo.count > Self.stepLimit || rawValue.utf8.count > Self.byteLimit {
      content.undo.removeFirst()
    }
  }

  /// Takes the last step, forward or backward, until one has an effect.
  ///
  /// - Parameter apply: Makes changes, and returns what undoes them; empty where there was no effect, and nil
  ///   where it is to stay at that.
  mutating func step(isRedo: Bool, _ apply: ([CardChange]) -> [CardChange]?) {
    content.redoBefore = nil
    let (from, to) = isRedo ? (\Content.redo, \Content.undo) : (\Content.undo, \Content.redo)
    while let changes = content[keyPath: from].popLast(), let inverse = apply(changes) {
      if inverse.isEmpty { continue }
      content[keyPath: to].append(inverse)
      return
    }
  }
}
