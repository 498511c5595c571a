#if Secrets
import KeepsakeCoding

/// Converts values to the bytes that are encrypted, and back: JSON, so that any version reads them.
enum SecretCoding {
  static func encode(_ value: some Encodable, of name: String) throws(SecretError) -> [UInt8] {
    do {
      let encoder = JSON.Encoder()
      encoder.outputFormatting = .sortedKeys
      return try encoder.encodeToBytes(value)
    } catch {
      // The encoder's error may contain the value.
      throw SecretError(
        .unencodable, "a \(type(of: value)) cannot be encoded; nothing was changed", name: name)
    }
  }

  static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8], of name: String
  ) throws(SecretError) -> Value {
    do {
      return try JSON.Decoder().decode(type, from: bytes)
    } catch {
      // The decoder's error contains an excerpt of the secret.
      throw SecretError(
        .wrongType, "the stored secret cannot be decoded as \(type); it is kept", name: name)
    }
  }
}
#endif
