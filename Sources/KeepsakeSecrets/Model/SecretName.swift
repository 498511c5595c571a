#if Secrets
/// The name of a secret; two names are equal if their UTF-8 bytes are equal.
///
/// Equality of `String` is not enough: a composed character equals its decomposed form, but a secret
/// that was encrypted under one of them cannot be decrypted under the other.
struct SecretName: Codable, Hashable, Sendable {
  let string: String

  init(_ string: String) {
    self.string = string
  }

  static func == (first: SecretName, second: SecretName) -> Bool {
    first.string.utf8.elementsEqual(second.string.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var string = string
    string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }

  /// The composed and the decomposed form of the name, except the name itself.
  ///
  /// - Complexity: O(*n*), and a tenth of a second at the first call.
  var otherForms: [SecretName] {
    if isASCII { return [] }
    return [UnicodeForms.composed(string), UnicodeForms.decomposed(string)]
      .map { SecretName($0) }.filter { $0 != self }
  }

  /// Whether the name has only one form.
  var isASCII: Bool { string.utf8.allSatisfy { $0 < 0x80 } }
}

extension SecretName: Comparable {
  static func < (first: SecretName, second: SecretName) -> Bool {
    first.string.utf8.lexicographicallyPrecedes(second.string.utf8)
  }
}

extension SecretName: ExpressibleByStringLiteral {
  init(stringLiteral string: String) { self.init(string) }
}

/// A dictionary with these keys is encoded as an object.
extension SecretName: CodingKeyRepresentable {
  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  var codingKey: any CodingKey { Key(stringValue: string) }

  init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }
}
#endif
