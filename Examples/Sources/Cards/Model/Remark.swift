import Stage

/// What a person should know for a moment; the same words said again are another remark.
struct Remark: Equatable {
  let text: String
  private let id = UUID()

  init(_ text: String) {
    self.text = text
  }
}
