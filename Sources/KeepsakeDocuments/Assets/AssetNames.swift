import KeepsakeCoding

/// Finds the assets that files name, also in keys that no type knows.
///
/// A name counts in any string and any key, as part of a path or a sentence, and in text that is not
/// JSON. To keep an asset that is not needed costs little; to remove one that is needed loses it.
struct AssetNames {
  /// The names of the form that the store gives, `<UUID>.<extension>`, in a value.
  ///
  /// - Complexity: O(*n*).
  static func all(in value: JSON.Value, types: [Asset.ContentType]) -> Set<Asset> {
    var names = AssetNames(types: types)
    names.collect(in: value)
    return names.found
  }

  /// The names of the form that the store gives in a text, which may be part of a file.
  ///
  /// Escapes of JSON are resolved, too, because other programs may escape any character.
  ///
  /// - Parameters:
  ///   - types: The types.
  ///   - orAnyType: Whether also any extension of letters and digits counts.
  /// - Complexity: O(*n*).
  static func all(
    inText bytes: [UInt8], types: [Asset.ContentType], orAnyType: Bool = false
  ) -> Set<Asset> {
    var names = AssetNames(types: types, orAnyType: orAnyType)
    bytes.withUnsafeBufferPointer { names.scan($0) }
    if bytes.contains(UInt8(ascii: "\\")) {
      unescaped(bytes).withUnsafeBufferPointer { names.scan($0) }
    }
    return names.found
  }

  private let extensions: [[UInt8]]
  private let isAnyType: Bool
  private var found: Set<Asset> = []

  private init(types: [Asset.ContentType], orAnyType isAnyType: Bool = false) {
    extensions = types.map { Array($0.pathExtension.utf8) }
    self.isAnyType = isAnyType
  }

  private mutating func collect(in value: JSON.Value) {
    switch value {
    case .string(let text): scan(text)
    case .array(let array): for element in array { collect(in: element) }
    case .object(let object):
      for (key, member) in object {
        scan(key)
        collect(in: member)
      }
    default: break
    }
  }

  private mutating func scan(_ text: String) {
    // Shorter than any name.
    if text.utf8.count < 38 { return }
    var text = text
    text.withUTF8 { scan($0) }
  }

  /// Finds each dot after the 36 bytes of a UUID.
  private mutating func scan(_ bytes: UnsafeBufferPointer<UInt8>) {
    var dot = 36
    while dot < bytes.count {
      defer { dot += 1 }
      guard bytes[dot] == UInt8(ascii: "."), Self.isUUID(bytes[(dot - 36)..<dot]) else { continue }
      // Some file systems are not case-sensitive.
      let uuid = String(decoding: bytes[(dot - 36)..<dot], as: UTF8.self).uppercased()
      let rest = bytes[(dot + 1)...].prefix(16).map { $0 | 0x20 }
      let letters = rest.prefix { Asset.ContentType.isLetterOrDigit($0) }
      for suffix in extensions + (isAnyType ? [Array(letters)] : [])
      where !suffix.isEmpty && rest.starts(with: suffix) {
        let name = "\(uuid).\(String(decoding: suffix, as: UTF8.self))"
        if let asset = Asset(name: name) { found.insert(asset) }
      }
    }
  }

  private static func isUUID(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    for (index, byte) in bytes.enumerated() {
      switch index {
      case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return false }
      default:
        let isHexadecimal =
          (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
        if !isHexadecimal { return false }
      }
    }
    return true
  }

  /// The text with `\u0041` and the like as `A`; other escapes stay, because no name has them.
  private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\\"), index + 6 <= bytes.count,
        bytes[index + 1] == UInt8(ascii: "u"),
        let code = UInt16(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16),
        code < 0x80
      {
        result.append(UInt8(code))
        index += 6
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }
}
