#if Secrets
/// Changes of several secrets that are kept together; see ``SecretStore/update(_:)``.
public struct SecretTransaction {
  var changes: SecretChanges

  /// A secret as this transaction has it by now, or `nil` where there is none of the name.
  ///
  /// - Throws: ``SecretError`` where it cannot be read or is not of the type.
  public func value<Value: Decodable>(
    for name: String, as type: Value.Type = Value.self
  ) throws(SecretError) -> Value? {
    let bytes =
      if let changed = changes.changes[name] { changed } else { try changes.stored(name) }
    return try bytes.map { (bytes) throws(SecretError) in
      try SecretCoding.decode(type, from: bytes, of: name)
    }
  }

  /// Keeps a secret under a name, in place of any that it has.
  ///
  /// - Throws: ``SecretError`` where the value cannot be encoded.
  public mutating func set(_ value: some Encodable, for name: String) throws(SecretError) {
    changes.changes[name] = .some(try SecretCoding.encode(value, of: name))
  }

  /// Forgets a secret, if there is one of the name.
  public mutating func remove(_ name: String) {
    changes.changes[name] = .some(nil)
  }
}
#endif
