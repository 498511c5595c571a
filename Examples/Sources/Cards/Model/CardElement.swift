import Stage

/// Something on a card.
protocol CardElement: Identifiable, Codable, Sendable {
  var id: UUID { get set }
  var transform: Transform { get set }
  /// Where the element is as it is shown.
  var shownTransform: Transform { get }
}

extension CardElement {
  var shownTransform: Transform { transform }

  /// Stands for the identity of an element whose file names none; the card gives it one.
  static var unnamed: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
}
