extension JSON.Writer {
  /// Writes an object with one more member, before the others.
  ///
  /// - Parameter body: Writes the object.
  /// - Throws: ``JSON/WriteError/needsEncoder`` if it is not an object, or may have the key already;
  ///   and what `body` throws.
  package mutating func writeObject(
    startingWith key: String, _ value: String,
    _ body: (inout JSON.Writer) throws(JSON.WriteError) -> Void
  ) throws(JSON.WriteError) {
    let start = count
    try body(&self)
    let object = bytes(from: start, to: count)
    guard object.first == UInt8(ascii: "{") else { throw .needsEncoder }
    let quoted = Array("\"\(key)\":".utf8)
    if object.firstRange(of: quoted) != nil { throw .needsEncoder }
    truncate(to: start)
    append(UInt8(ascii: "{"))
    self.key(key)
    write(value)
    // An empty object is a bracket and a comma now.
    if object.count == 3 { removeLastComma() }
    object.dropFirst().withUnsafeBytes { append($0) }
  }
}
