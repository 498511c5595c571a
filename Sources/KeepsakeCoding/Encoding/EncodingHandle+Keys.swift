extension EncodingHandle {
  /// Writes a key.
  @inline(__always)
  func writeKey<Key: CodingKey>(_ key: Key) {
    if case .custom = state.pointee.keyStyle {
      let text = customText(of: key)
      state.pointee.writeKey(text, isConverted: true)
    } else {
      state.pointee.writeKey(key.stringValue, isConverted: false)
    }
  }

  @inline(never)
  func customText(of key: some CodingKey) -> String {
    guard case .custom(let convert) = state.pointee.options.keys else { return key.stringValue }
    return convert(codingPath + [key]).stringValue
  }
}

extension EncodingState {
  /// Writes the key of an entry, and notes where the entry is.
  @inline(__always)
  mutating func writeKey(_ text: String, isConverted: Bool) {
    let start = writer.count
    if !isConverted, case .separated(let separator) = keyStyle {
      writeKey(text, separatedBy: separator)
    } else {
      writer.key(text)
    }
    let length = writer.count &- start
    entries.append(
      EncodingEntry(
        start: start, keyLength: UInt32(truncatingIfNeeded: length),
        hash: writer.hash(from: start)))
    frames.last.pointee.keySource = .any
  }

  /// Writes a key, its words in lower case and separated.
  ///
  /// A word begins where a capital follows a small letter, and with the last of several capitals
  /// before a small letter: `myURLProperty` has three.
  private mutating func writeKey(_ text: String, separatedBy separator: UInt8) {
    let isDone =
      text.utf8.withContiguousStorageIfAvailable { text in
        writer.writeWords(of: text, separatedBy: separator)
      } ?? false
    if !isDone {
      writer.key(Self.words(of: text, separatedBy: Character(Unicode.Scalar(separator))))
    }
  }

  /// The same for any text.
  static func words(of text: String, separatedBy separator: Character) -> String {
    let characters = Array(text)
    guard !characters.isEmpty else { return "" }
    var result = ""
    var start = 0
    func append(upTo end: Int) {
      if !result.isEmpty || start > 0 { result.append(separator) }
      result += String(characters[start..<end]).lowercased()
      start = end
    }
    var index = 1
    while let capital = characters[index...].firstIndex(where: \.isUppercase) {
      append(upTo: capital)
      guard let small = characters[capital...].firstIndex(where: \.isLowercase) else { break }
      if small > capital + 1 { append(upTo: small - 1) }
      index = small + 1
    }
    append(upTo: characters.count)
    return result
  }
}

extension JSON.Writer {
  /// Writes the words of ASCII text as a key, or returns `false` and writes nothing if there is
  /// other text or what needs an escape.
  mutating func writeWords(
    of text: UnsafeBufferPointer<UInt8>, separatedBy separator: UInt8
  ) -> Bool {
    // At most two bytes for each, quotation marks and a colon.
    reserve(text.count * 2 + 16)
    let start = next
    var output = start
    output[0] = UInt8(ascii: "\"")
    output += 1
    var index = 0
    /// The small letter that ends what is being searched, at which a capital begins a new word.
    var isSearchingSmall = false
    var capital = 0
    while index < text.count {
      let byte = text[index]
      if byte &- 0x20 >= 0x5F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
        || byte == UInt8(ascii: "/")
      {
        return false
      }
      let isCapital = byte &- UInt8(ascii: "A") < 26
      let isSmall = byte &- UInt8(ascii: "a") < 26
      if isSearchingSmall {
        if isSmall {
          isSearchingSmall = false
          if index > capital + 1 {
            // The byte before begins a new word; the capitals before it are one.
            output[0] = output[-1]
            output[-1] = separator
            output += 1
          }
        }
      } else if isCapital, index > 0 {
        output[0] = separator
        output += 1
        capital = index
        isSearchingSmall = true
      }
      output[0] = isCapital ? byte | 0x20 : byte
      output += 1
      index += 1
    }
    output[0] = UInt8(ascii: "\"")
    output[1] = UInt8(ascii: ":")
    next = output + 2
    return true
  }

  /// A hash of what was written from an offset on.
  @inline(__always)
  mutating func hash(from start: Int) -> UInt32 {
    // Whole words are read: what follows the end is in the buffer, and masked.
    reserve(8)
    var source = UnsafeRawPointer(base + start)
    var left = count &- start
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15 &* UInt64(truncatingIfNeeded: left)
    while left >= 8 {
      hash = (hash ^ source.loadUnaligned(as: UInt64.self)) &* 0x9FB2_1C65_1E98_DF25
      hash ^= hash &>> 32
      source += 8
      left &-= 8
    }
    if left > 0 {
      let mask = ~(~0 &<< UInt64(left &* 8)) as UInt64
      let word = source.loadUnaligned(as: UInt64.self) & mask
      hash = (hash ^ word) &* 0x9FB2_1C65_1E98_DF25
    }
    return UInt32(truncatingIfNeeded: hash &>> 32)
  }
}
