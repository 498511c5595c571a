import Stage

/// The element that a window has chosen, compared by all that is kept of it.
struct SelectedElement: Equatable, Sendable {
  let id: UUID?
  let element: (any CardElement)?
  let name: String
  private let content: [UInt8]?

  init(on card: Card?, id: UUID?) {
    self.id = id
    element = card?[id]
    name = element.flatMap { card?.name(of: $0) } ?? ""
    content = element.flatMap { try? JSON.Encoder().encodeToBytes($0) }
  }

  static func == (lhs: Self, rhs: Self) -> Bool {
    (lhs.id, lhs.content, lhs.name) == (rhs.id, rhs.content, rhs.name)
  }
}
