extension PropertyList {
  /// What could be read of a damaged property list, and what could not.
  public typealias Recovery = (value: [String: Value], faults: [ParseError])

  /// Reads what can still be read of a damaged XML property list that holds a dictionary.
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
  /// - Returns: The entries, the last one's value of two equal keys, and the faults in the order of
  ///   their places: none if the file is not damaged.
  /// - Complexity: O(*n*) in the number of bytes, but for files made to be slow, with many
  ///   containers that do not end.
  public static func recover(_ bytes: [UInt8]) -> Recovery {
    bytes.withUnsafeBufferPointer { buffer in
      var reader = XMLReader(buffer)
      switch try? reader.readDocument() {
      case .dictionary(let dictionary)?:
        return (dictionary, [])
      case _?:
        return ([:], [.noDictionary])
      case nil:
        break
      }
      var salvager = Salvager(buffer)
      salvager.run()
      return (salvager.entries, ParseError.locating(salvager.faults, in: buffer))
    }
  }
}
