extension PropertyList {
  /// Reads the tags and the text of an XML property list, from bytes that stay in place.
  ///
  /// Every read leaves `position` behind what was understood. No error has a path: the reader knows
  /// it.
  struct XMLScanner {
    let base: UnsafePointer<UInt8>
    let count: Int
    var position = 0

    /// Whether a comment or CDATA section without an end was met: what follows may all be in it.
    var isOpenEnded = false

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
      // An empty buffer may have no address; it is never read from then.
      base = bytes.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
      count = bytes.count
    }
  }
}

extension PropertyList.XMLScanner {
  typealias Fault = PropertyList.Fault

  /// An error at an offset, by default the current one.
  @inline(never)
  func fault(_ message: String, at offset: Int? = nil) -> Fault {
    Fault(offset: offset ?? position, path: [], message: message)
  }

  /// Reads up to the root value's first tag.
  ///
  /// - Returns: That tag, and whether it is inside of `<plist>`, which may be missing.
  mutating func readHeader() throws(Fault) -> (root: Tag, isWrapped: Bool) {
    // What every writer writes.
    if skip(PropertyList.XMLWriter.head, at: 0) { return (try readTag(), true) }
    if count >= 6, bytes(at: 0, are: "bplist") {
      throw fault(
        "this is a binary property list; convert it with plutil -convert xml1", at: 0)
    }
    if bytes(at: 0, are: "\u{FEFF}") { position = 3 }
    try skipProlog()
    if position == count { throw fault("the file holds no property list") }
    let first = try readTag()
    guard first.element == .plist else { return (first, false) }
    guard first.form == .open else {
      throw fault("a property list holds one value; this holds none", at: first.offset)
    }
    return (try readTag(), true)
  }

  /// Reads the end of the file.
  ///
  /// - Parameter isWrapped: Whether the root value is inside of `<plist>`.
  mutating func readEnd(isWrapped: Bool) throws(Fault) {
    if isWrapped {
      let end = try readTag()
      guard end.element == .plist, end.form == .close else {
        throw fault("a property list holds one value; this is a second", at: end.offset)
      }
    }
    try readEnd()
  }

  /// Requires that nothing but comments follows.
  mutating func readEnd() throws(Fault) {
    try skipFiller()
    if position < count { throw fault("\(currentDescription) after the end of the property list") }
  }
}
