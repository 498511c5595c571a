import Stage

/// Something on a card.
protocol CardElement: Identifiable, Codable, Sendable {
  var id: UUID { get set }
  var transform: Transform { get set }
}

extension CardElement {
  /// Stands for the identity of an element whose file names none; the card gives it one.
  static var unnamed: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}
