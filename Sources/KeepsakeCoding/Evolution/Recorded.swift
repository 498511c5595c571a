#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A decoded value, and the keys that its type decoded.
///
/// Any decoder that does not convert keys can decode it.
package struct Recorded<Value: Decodable>: Decodable {
  package let value: Value
  package let use: KeyUse

  package init(from decoder: any Decoder) throws {
    use = KeyUse()
    value =
      isDecodedWhole(Value.self)
      ? try decoder.singleValueContainer().decode(Value.self)
      : try Value(from: RecordingDecoder(base: decoder, use: use))
  }
}

/// Whether a type has no keys, or is one that decoders treat specially.
func isDecodedWhole(_ type: any Decodable.Type) -> Bool {
  switch ObjectIdentifier(type) {
  case ObjectIdentifier(String.self), ObjectIdentifier(Bool.self), ObjectIdentifier(Int.self),
    ObjectIdentifier(Double.self), ObjectIdentifier(Date.self), ObjectIdentifier(Data.self),
    ObjectIdentifier(URL.self), ObjectIdentifier(UUID.self), ObjectIdentifier(Decimal.self),
    ObjectIdentifier(JSON.Value.self):
    true
  default: type is any (FixedWidthInteger & Decodable).Type
  }
}
