#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How a type's key is found among those of an object.
enum KeyMatching {
  /// Byte for byte.
  case exact
  /// Words joined by a separator in the text are joined by capitals in the type.
  case separated(UInt8)
  /// Through a table of what a function makes of each key.
  case custom(@Sendable ([any CodingKey]) -> any CodingKey)

  init(_ strategy: JSON.Decoder.KeyDecodingStrategy) {
    switch strategy {
    case .useDefaultKeys: self = .exact
    case .convertFromSnakeCase: self = .separated(UInt8(ascii: "_"))
    case ._convertFromKebabCase: self = .separated(UInt8(ascii: "-"))
    case .custom(let convert): self = .custom(convert)
    }
  }

  var isExact: Bool {
    if case .exact = self { return true }
    return false
  }
}

/// The keys of one object, as a type knows them.
struct KeyTable {
  /// Each key, in the order of the text, with its index and that of its value.
  var entries: [(name: any CodingKey, key: Int, value: Int)] = []
  /// The value of each name; of two equal names the first counts.
  var values: [String: Int] = [:]

  /// What a key has become.
  ///
  /// - Complexity: O(log *n*) in the number of keys, whose indices go up.
  func name(ofKeyAt index: Int) -> (any CodingKey)? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].key < index { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].key == index ? entries[low].name : nil
  }
}

extension JSON {
  /// A key of the text in camel case, as `JSONDecoder.KeyDecodingStrategy.convertFromSnakeCase`
  /// makes it: the first word in lower case, the others capitalised, separators at the ends kept.
  static func camelCase(_ key: String, separator: UInt8) -> String {
    let separator = Character(Unicode.Scalar(separator))
    guard let first = key.firstIndex(where: { $0 != separator }),
      let last = key.lastIndex(where: { $0 != separator })
    else { return key }
    let words = key[first...last].split(separator: separator)
    guard words.count > 1 else { return key }
    let camel = words.enumerated().map { index, word in
      // Foundation's own, which sees words within words: `2nd` becomes `2Nd`.
      index == 0 ? word.lowercased() : word.capitalized
    }
    return key[..<first] + camel.joined() + key[key.index(after: last)...]
  }
}

extension Tape {
  /// Whether a key is a name once its words are joined by capitals.
  func isKey(
    _ key: Int, _ name: UnsafeBufferPointer<UInt8>, separator: UInt8
  ) -> Bool {
    let token = string(key)
    guard token.traits.isEmpty else { return isUnusualKey(key, name, separator: separator) }
    let bytes = token.start
    var (first, last) = (0, token.count)
    while first < last, bytes[first] == separator { first += 1 }
    while last > first, bytes[last &- 1] == separator { last -= 1 }
    // What stands at the ends stays; a key that has nothing else stays whole.
    guard name.count >= first &+ (token.count &- last), name.count <= token.count else {
      return false
    }
    var next = first
    var hasSeparator = false
    var isAfterLetter = true
    for index in first..<last {
      var byte = bytes[index]
      if byte == separator {
        isAfterLetter = false
        hasSeparator = true
        continue
      }
      guard next < name.count else { return false }
      if byte &- 0x61 < 26 {
        if !isAfterLetter {
          byte &-= 0x20
          isAfterLetter = true
        }
      } else if byte &- 0x41 < 26 {
        // Lower case within words; but a single word is unchanged.
        if isAfterLetter, hasSeparator || contains(separator, bytes, index, last) { byte |= 0x20 }
        isAfterLetter = true
      } else if hasSeparator, !Self.isWithinWord(byte) {
        isAfterLetter = false
      }
      if name[next] != byte { return false }
      next &+= 1
    }
    guard name.count == next &+ (token.count &- last) else { return false }
    for index in 0..<first where name[index] != separator { return false }
    for index in next..<name.count where name[index] != separator { return false }
    return true
  }

  /// Whether a letter after this byte, which is none itself, belongs to the word before it.
  @inline(__always) private static func isWithinWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "'") || byte == UInt8(ascii: "^") || byte == UInt8(ascii: "`")
  }

  private func contains(
    _ separator: UInt8, _ bytes: UnsafePointer<UInt8>, _ first: Int, _ last: Int
  ) -> Bool {
    for index in first..<last where bytes[index] == separator { return true }
    return false
  }

  @inline(never)
  private func isUnusualKey(
    _ key: Int, _ name: UnsafeBufferPointer<UInt8>, separator: UInt8
  ) -> Bool {
    if isSuperseded(key) { return false }
    let key = withText(key) { String(decoding: $0, as: UTF8.self) }
    return JSON.camelCase(key, separator: separator).utf8.elementsEqual(name)
  }
}
