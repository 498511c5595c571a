import Stage

/// Says of a text that is too long by how much, beside the field where it is written.
struct LimitView: View {
  /// What the text is called.
  let name: String
  let text: String

  var body: some View {
    if text.isTooLong {
      Text(
        "The \(name) can have \(String.limit.formatted()) characters; yours has "
          + "\(text.count.formatted())."
      )
      .foregroundColor(.red)
      .accessibilityStatus()
    }
  }
}

extension String {
  /// How many characters a text or a name can have.
  fileprivate static let limit = 1000

  /// Whether it has more characters than a text or a name can have.
  var isTooLong: Bool { count > Self.limit }
}
