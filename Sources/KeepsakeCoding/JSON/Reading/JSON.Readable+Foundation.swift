#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Int128: JSON.Readable {}
extension UInt128: JSON.Readable {}

extension Date: JSON.Readable {
  /// Reads a date in the form that the decoder's strategy says.
  public init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    switch reader.dates {
    case .deferredToDate: self.init(timeIntervalSinceReferenceDate: try reader.readDouble())
    case .secondsSince1970: self.init(timeIntervalSince1970: try reader.readDouble())
    case .millisecondsSince1970: self.init(timeIntervalSince1970: try reader.readDouble() / 1000)
    case .iso8601, .iso8601WithFractionalSeconds, .iso8601Exact:
      if reader.dates == .iso8601Exact, try reader.skipWhitespace() != UInt8(ascii: "\"") {
        self.init(timeIntervalSinceReferenceDate: try reader.readDouble())
        return
      }
      let token = try reader.readToken()
      guard let seconds = ISO8601.seconds(of: token.start, count: token.count) else {
        throw reader.fault(.expectedString)
      }
      self.init(timeIntervalSinceReferenceDate: seconds)
    }
  }
}

extension Data: JSON.Readable {
  /// Reads base64 text.
  public init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    let token = try reader.readToken()
    let text = UnsafeBufferPointer(start: token.start, count: token.count)
    guard let data = try? Base64.data(text, allowsWhitespace: false) else {
      throw reader.fault(.expectedString)
    }
    self = data
  }
}

extension URL: JSON.Readable {
  /// Reads the text of a URL.
  public init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    guard let url = URL(string: try reader.readString()) else {
      throw reader.fault(.expectedString)
    }
    self = url
  }
}

extension UUID: JSON.Readable {
  /// Reads `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`, in letters of either case.
  public init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    let token = try reader.readToken()
    guard let uuid = UUID(text: UnsafeBufferPointer(start: token.start, count: token.count)) else {
      throw reader.fault(.expectedString)
    }
    self = uuid
  }
}

extension Decimal: JSON.Readable {
  /// Reads a number with all its digits.
  public init(from reader: inout JSON.Reader) throws(JSON.Fault) {
    let token = try reader.readNumber()
    guard let number = token.decimal else { throw reader.outOfRange(token) }
    self = number
  }
}

extension JSON.Reader {
  /// Reads a string, whose text is valid until the reader goes on.
  fileprivate mutating func readToken() throws(JSON.Fault) -> JSON.StringToken {
    guard try skipWhitespace() == UInt8(ascii: "\"") else { throw fault(.expectedString) }
    return try scanString()
  }
}
