#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension UUID {
  /// Creates an identifier from `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, in capitals or not.
  ///
  /// Foundation's initializer scans the text by a format, which takes a microsecond.
  init?(digits text: UnsafePointer<UInt8>, count: Int) {
    guard count == 36 else { return nil }
    var bytes = (UInt64(0), UInt64(0))
    var place = 0
    for index in 0..<36 {
      let byte = text[index]
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte &- 0x30
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        digit = (byte | 0x20) &- 0x57
      default: return nil
      }
      if place < 16 {
        bytes.0 = bytes.0 << 4 | UInt64(digit)
      } else {
        bytes.1 = bytes.1 << 4 | UInt64(digit)
      }
      place += 1
    }
    let halves = (bytes.0.bigEndian, bytes.1.bigEndian)
    self.init(uuid: unsafeBitCast(halves, to: uuid_t.self))
  }
}
