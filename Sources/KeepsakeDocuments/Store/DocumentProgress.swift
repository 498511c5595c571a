/// How many of how many documents are loaded.
public struct DocumentProgress: Hashable, Sendable {
  /// The documents and errors so far, this one included.
  public var done: Int
  /// The files there are.
  public var total: Int
}
