#if Secrets
extension SecretStore {
  /// Changes of several secrets that are made together; see ``SecretStore/transaction(_:)``.
  public struct Transaction {
    var changes: SecretChanges

    /// A secret as it is after the changes so far, or `nil` if there is none of the name.
    ///
    /// - Throws: ``SecretError`` if it cannot be read or is not of the type.
    public func value<Value: Decodable>(
      for name: String, as type: Value.Type = Value.self
    ) throws(SecretError) -> Value? {
      let bytes =
        if let changed = changes.changes[SecretName(name)] { changed } else {
          try changes.stored(SecretName(name))
        }
      return try bytes.map { (bytes) throws(SecretError) in
        try SecretCoding.decode(type, from: bytes, of: name)
      }
    }

    /// Keeps a secret under a name, in place of any that has the name.
    ///
    /// - Throws: ``SecretError`` if the value cannot be encoded.
    public mutating func set(_ value: some Encodable, for name: String) throws(SecretError) {
      changes.changes[SecretName(name)] = .some(try SecretCoding.encode(value, of: name))
    }

    /// Removes a secret, if there is one of the name.
    public mutating func remove(_ name: String) {
      changes.changes[SecretName(name)] = .some(nil)
    }
  }
}
#endif
