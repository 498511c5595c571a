extension PropertyList {
  /// The entries that were read from a damaged property list, sorted by key, and its errors.
  package typealias Recovery = (entries: [(key: String, value: Value)], errors: [ParseError])

  /// Reads what can still be read of a damaged XML property list that holds a dictionary.
  ///
  /// A binary property list is read too, but nothing of a damaged one.
  ///
  /// An entry is kept if its key and its whole value can be read, and never in part. What follows
  /// a fault is read again from the next key of the dictionary itself. In a file whose keys stand
  /// on lines of their own, as ``Value/serializedXML()`` writes them, such a key is known by its
  /// indent, so a fault costs the entry that it is in, and the next if the line between them is
  /// damaged. In a file without lines, entries after a fault are kept only if they are followed
  /// by the end of the dictionary, without another fault between.
  ///
  /// Damage that leaves a valid property list (another digit, another letter) cannot be seen.
  ///
  /// - Parameter bytes: The file's bytes.
  /// - Returns: The entries, of two whose keys have the same bytes the last, and the errors in the
  ///   order of the file: none if it is not damaged.
  /// - Complexity: O(*n*) in the number of bytes, but for files made to be slow, with many
  ///   containers that do not end.
  package static func recover(_ bytes: [UInt8]) -> Recovery {
    if let utf8 = try? utf8(of: bytes) {
      // A damaged byte can make UTF-8 look like UTF-16.
      let recovery = recover(utf8)
      if !recovery.entries.isEmpty || recovery.errors.isEmpty { return recovery }
    }
    do throws(ParseError) {
      var entries: [(key: String, value: Value)] = []
      try forEachEntry(parsing: bytes) { key, value in
        entries.append((String(decoding: key, as: UTF8.self), value.value))
      }
      return (lastOfEachKey(entries), [])
    } catch {
      // Nothing is lost of a property list that holds something else.
      if (try? Value(parsingXML: bytes)) != nil { return ([], [error]) }
      return bytes.withUnsafeBufferPointer { buffer in
        if isBinary(buffer) { return ([], [error]) }
        var salvager = Salvager(buffer)
        salvager.run()
        return (
          lastOfEachKey(salvager.entries), ParseError.locating(salvager.faults, in: buffer)
        )
      }
    }
  }

  /// Sorts entries by key, and removes all but the last of those whose keys have the same bytes.
  private static func lastOfEachKey(
    _ entries: [(key: String, value: Value)]
  ) -> [(key: String, value: Value)] {
    var sorted: [(key: String, value: Value)] = []
    // `sort` is stable.
    for entry in entries.sorted(by: { precedes($0.key, $1.key) }) {
      if let last = sorted.last, !precedes(last.key, entry.key) { sorted.removeLast() }
      sorted.append(entry)
    }
    return sorted
  }
}
