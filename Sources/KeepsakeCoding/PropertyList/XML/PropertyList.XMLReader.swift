extension PropertyList {
  /// Reads an XML property list from bytes that stay in place while it lives.
  ///
  /// Containers are kept on stacks of its own, not on the thread's, so that no file can overflow
  /// the latter. Every read leaves `position` behind what it has understood.
  struct XMLReader {
    let base: UnsafePointer<UInt8>
    let count: Int
    var position = 0

    /// Whether a comment or CDATA section without an end was met: what follows may all be in it.
    var isOpenEnded = false

    /// A container whose end has not been read.
    struct Frame {
      let isDictionary: Bool
      let firstKey: Int
      let firstValue: Int
    }
    private var frames: [Frame] = []
    /// The keys and values of the open containers, the innermost container's last.
    private var keys: [String] = []
    private var values: [Value] = []

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
      // An empty buffer may have no address; it is never read from then.
      base = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)!
      count = bytes.count
    }
  }
}

extension PropertyList.XMLReader {
  typealias Value = PropertyList.Value
  typealias Fault = PropertyList.Fault

  /// An error at a place, the current one unless told.
  @inline(never)
  func fault(_ message: String, at offset: Int? = nil) -> Fault {
    Fault(offset: offset ?? position, path: path, message: message)
  }

  /// The keys and places that lead to what is being read.
  private var path: [String] {
    frames.indices.compactMap { index in
      let frame = frames[index]
      let isLast = index == frames.count - 1
      let lastKey = isLast ? keys.count : frames[index + 1].firstKey
      let lastValue = isLast ? values.count : frames[index + 1].firstValue
      guard frame.isDictionary else { return String(lastValue - frame.firstValue) }
      return lastKey > frame.firstKey ? keys[lastKey - 1] : nil
    }
  }

  // MARK: The document

  /// Reads a whole document and returns the value that it holds.
  mutating func readDocument() throws(Fault) -> Value {
    // About as many as there are in a list of small values; memory that is not used is not taken.
    keys.reserveCapacity(count / 64)
    values.reserveCapacity(count / 64)
    let (root, isWrapped) = try readHeader()
    let value = try readValue(startingWith: root)
    if isWrapped {
      let end = try readTag()
      guard end.element == .plist, end.form == .close else {
        throw fault("a property list holds one value; this is a second", at: end.offset)
      }
    }
    try readEnd()
    return value
  }

  /// Reads up to the root value's first tag.
  ///
  /// - Returns: That tag, and whether it is inside of `<plist>`, which may be missing.
  mutating func readHeader() throws(Fault) -> (root: Tag, isWrapped: Bool) {
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

  /// Requires that nothing but comments follows.
  mutating func readEnd() throws(Fault) {
    try skipFiller()
    if position < count { throw fault("\(currentDescription) after the end of the property list") }
  }

  // MARK: Values

  /// Reads a value, its first tag having been read.
  mutating func readValue(startingWith first: Tag) throws(Fault) -> Value {
    let bottom = frames.count
    var tag = first
    while true {
      let value: Value
      switch (tag.element, tag.form) {
      case (.dict, .open), (.array, .open):
        guard frames.count < PropertyList.maximumDepth else {
          throw fault("more than \(PropertyList.maximumDepth) containers deep", at: tag.offset)
        }
        push(isDictionary: tag.element == .dict)
        tag = try readTagInContainer()
        continue
      case (_, .close):
        guard let frame = frames.last, frames.count > bottom else {
          throw fault("</\(tag.element)> where a value must be", at: tag.offset)
        }
        guard tag.element == (frame.isDictionary ? .dict : .array) else {
          let expected: Element = frame.isDictionary ? .dict : .array
          throw fault("</\(tag.element)> where </\(expected)> must come first", at: tag.offset)
        }
        value = pop(frame)
      default:
        value = try readScalar(tag)
      }
      if frames.count == bottom { return value }
      values.append(value)
      tag = try readTagInContainer()
    }
  }

  /// Reads the next tag in the innermost container, and in a dictionary the key before it.
  private mutating func readTagInContainer() throws(Fault) -> Tag {
    let tag = try readTag()
    if !frames[frames.count - 1].isDictionary || tag.form == .close { return tag }
    return try readEntry(startingWith: tag)
  }

  /// Reads a key, its tag having been read, and the tag of its value.
  mutating func readEntry(startingWith tag: Tag) throws(Fault) -> Tag {
    guard tag.element == .key else {
      throw fault("<\(tag.element)> where a <key> or </dict> must be", at: tag.offset)
    }
    keys.append(try readText(tag))
    let valueTag = try readTag()
    guard valueTag.form != .close else {
      throw fault("a key without a value", at: valueTag.offset)
    }
    return valueTag
  }

  private mutating func push(isDictionary: Bool) {
    frames.append(
      Frame(isDictionary: isDictionary, firstKey: keys.count, firstValue: values.count))
  }

  /// Takes the innermost container's elements off the stacks, the last one first, as only then
  /// they are moved and not copied.
  private mutating func pop(_ frame: Frame) -> Value {
    frames.removeLast()
    let elementCount = values.count - frame.firstValue
    guard frame.isDictionary else {
      return .array(
        Array(unsafeUninitializedCapacity: elementCount) { buffer, initializedCount in
          for index in buffer.indices.reversed() {
            buffer.initializeElement(at: index, to: values.removeLast())
          }
          initializedCount = elementCount
        })
    }
    var dictionary = [String: Value](minimumCapacity: elementCount)
    for _ in 0..<elementCount {
      let key = keys.removeLast()
      if let later = dictionary.updateValue(values.removeLast(), forKey: key) {
        // Of two equal keys the last one's value counts.
        dictionary[key] = later
      }
    }
    return .dictionary(dictionary)
  }

  // MARK: Entries one by one

  /// Forgets every open container but a root dictionary without entries, to read it entry by entry.
  mutating func enterRoot() {
    frames.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    push(isDictionary: true)
  }

  /// The key of the entry being read.
  var currentKey: String { keys[keys.count - 1] }
}
