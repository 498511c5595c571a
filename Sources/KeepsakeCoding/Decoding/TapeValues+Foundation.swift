#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Types of Foundation that are not decoded by their `init(from:)`.
extension TapeValues {
  func date(_ index: Int) throws -> Date {
    switch state.pointee.tape.format {
    case .json: return try jsonDate(index)
    // A program may write a number of seconds into a property list in memory.
    case .memory where index >= 0 && state.pointee.tape.isNumber(index):
      return Date(timeIntervalSinceReferenceDate: try double(index))
    default:
      guard index >= 0, state.pointee.tape.is(.date, index) else {
        throw mismatch(Date.self, at: index)
      }
      return Date(
        timeIntervalSinceReferenceDate: Double(bitPattern: state.pointee.tape.bits(index)))
    }
  }

  private func jsonDate(_ index: Int) throws -> Date {
    switch state.pointee.options.date {
    case .deferredToDate: return Date(timeIntervalSinceReferenceDate: try double(index))
    case .secondsSince1970: return Date(timeIntervalSince1970: try double(index))
    case .millisecondsSince1970: return Date(timeIntervalSince1970: try double(index) / 1000)
    case .iso8601Exact where index >= 0 && state.pointee.tape.is(.number, index):
      return Date(timeIntervalSinceReferenceDate: try double(index))
    case .iso8601, .iso8601Exact:
      guard index >= 0, state.pointee.tape.is(.string, index) else {
        throw mismatch(String.self, at: index)
      }
      let seconds = state.pointee.tape.withText(index) { text in
        text.baseAddress.flatMap { ISO8601.seconds(of: $0, count: text.count) }
      }
      guard let seconds else {
        throw corrupted("Expected date string to be ISO8601-formatted.", at: index)
      }
      return Date(timeIntervalSinceReferenceDate: seconds)
    case .custom(let convert):
      return try convert(decoder(at: index))
    }
  }

  func data(_ index: Int) throws -> Data {
    if state.pointee.tape.format == .json { return try jsonData(index) }
    guard index >= 0, state.pointee.tape.is(.data, index) else {
      throw mismatch(Data.self, at: index)
    }
    do throws(Base64.InvalidByte) {
      return try state.pointee.tape.data(index)
    } catch {
      let location = location(atOffset: error.offset)
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: path(to: index),
          debugDescription: "\(Base64.InvalidByte.message). (\(location))\n\(location.excerpt)",
          underlyingError: DecodingLocation(location)))
    }
  }

  private func jsonData(_ index: Int) throws -> Data {
    switch state.pointee.options.data {
    case .deferredToData: return try Data(from: decoder(at: index))
    case .base64:
      guard index >= 0, state.pointee.tape.is(.string, index) else {
        throw mismatch(String.self, at: index)
      }
      // Foundation's decoder refuses whitespace.
      let data = state.pointee.tape.withText(index) {
        try? Base64.data($0, allowsWhitespace: false)
      }
      guard let data else { throw corrupted("Encountered Data is not valid Base64.", at: index) }
      return data
    case .custom(let convert):
      return try convert(decoder(at: index))
    }
  }

  func url(_ index: Int) throws -> URL {
    guard let url = URL(string: try string(index)) else {
      throw corrupted("Invalid URL string.", at: index)
    }
    return url
  }

  func uuid(_ index: Int) throws -> UUID {
    if index >= 0, state.pointee.tape.is(.string, index) {
      let token = state.pointee.tape.string(index)
      if let uuid = UUID(text: UnsafeBufferPointer(start: token.start, count: token.count)) {
        return uuid
      }
    }
    guard let uuid = UUID(uuidString: try string(index)) else {
      throw corrupted("Attempted to decode UUID from invalid UUID string.", at: index)
    }
    return uuid
  }
}
