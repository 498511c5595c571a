/// A value that holds others of its kind.
struct Nested: Codable, Equatable, Sendable {
  var inner: [Nested]?
}
