#if Identity
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The Base64 of tokens: without padding, with `-` and `_` (RFC 7515, appendix C).
enum Base64URL {
  static func text(of bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in Data(bytes).base64EncodedString().utf8 {
      switch byte {
      case UInt8(ascii: "+"): text.append("-")
      case UInt8(ascii: "/"): text.append("_")
      case UInt8(ascii: "="): return text
      default: text.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return text
  }

  /// The bytes of a text, or `nil` if it contains another character, padding included, or is another
  /// text than that of its bytes.
  static func bytes(of text: some Collection<UInt8>) -> [UInt8]? {
    var base64 = Data()
    base64.reserveCapacity(text.count + 3)
    for byte in text {
      switch byte {
      case UInt8(ascii: "-"): base64.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): base64.append(UInt8(ascii: "/"))
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        base64.append(byte)
      default: return nil
      }
    }
    base64.append(
      contentsOf: repeatElement(UInt8(ascii: "="), count: (4 - base64.count % 4) % 4))
    // Unused bits of the last character are zero (RFC 4648, section 3.5).
    guard let bytes = Data(base64Encoded: base64), bytes.base64EncodedData() == base64 else {
      return nil
    }
    return Array(bytes)
  }
}
#endif
