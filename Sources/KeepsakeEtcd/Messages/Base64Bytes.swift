#if Etcd
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes that JSON has in base64, as the mapping of protocol buffers to JSON says.
struct Base64Bytes: Codable, Hashable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(from decoder: any Decoder) throws {
    bytes = try Array(decoder.singleValueContainer().decode(Data.self))
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Data(bytes))
  }
}
#endif
