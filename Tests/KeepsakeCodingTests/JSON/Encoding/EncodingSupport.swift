import Foundation
import KeepsakeCoding
import Testing

/// A key of any name.
struct NamedKey: CodingKey, Hashable, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init(stringLiteral value: String) { stringValue = value }
  init?(intValue: Int) { nil }
}

/// A value that encodes itself by a function.
struct Encoding: Encodable {
  let body: (any Encoder) throws -> Void

  init(_ body: @escaping (any Encoder) throws -> Void) { self.body = body }

  func encode(to encoder: any Encoder) throws { try body(encoder) }
}

/// A pair of encoders with the same options.
struct EncoderPair {
  let foundation = Foundation.JSONEncoder()
  let keepsake = JSON.Encoder()

  init() {
    foundation.outputFormatting = .sortedKeys
    keepsake.outputFormatting = .sortedKeys
  }

  /// Expects the same bytes, or errors with the same path and words, in every layout.
  func expectSame<T: Encodable>(
    _ value: T, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for isPretty in [false, true] {
      if isPretty {
        foundation.outputFormatting.insert(.prettyPrinted)
        keepsake.outputFormatting.insert(.prettyPrinted)
      }
      #expect(
        text { try keepsake.encode(value) } == text { try foundation.encode(value) },
        sourceLocation: sourceLocation)
    }
    foundation.outputFormatting.remove(.prettyPrinted)
    keepsake.outputFormatting.remove(.prettyPrinted)
  }

  private func text(_ encode: () throws -> Data) -> String {
    do {
      return String(decoding: try encode(), as: UTF8.self)
    } catch EncodingError.invalidValue(_, let context) {
      return "\(context.codingPath.map(\.stringValue)) \(context.debugDescription)"
    } catch {
      return "\(error)"
    }
  }
}

/// What an encoder with default options, or those that a function sets, makes of a value.
func encoded<T: Encodable>(
  _ value: T, _ configure: (JSON.Encoder) -> Void = { _ in }
) throws -> String {
  let encoder = JSON.Encoder()
  configure(encoder)
  return String(decoding: try encoder.encodeToBytes(value), as: UTF8.self)
}
