#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Date: JSON.Writable {
  /// Writes the date in the form that the encoder's strategy says.
  public func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    if let number = writer.write(self, as: writer.dates) { throw .nonConformingNumber(number) }
  }
}

extension Data: JSON.Writable {
  /// Writes the bytes as base64 text (RFC 4648, section 4).
  public func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    withUnsafeBytes { writer.writeBase64($0) }
  }
}

extension URL: JSON.Writable {
  /// Writes the text of the URL.
  public func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    writer.write(absoluteString)
  }
}

extension UUID: JSON.Writable {
  /// Writes the text of the UUID, in capitals.
  public func write(to writer: inout JSON.Writer) throws(JSON.WriteError) { writer.write(self) }
}

extension Decimal: JSON.Writable {
  /// Writes the number with all its digits.
  public func write(to writer: inout JSON.Writer) throws(JSON.WriteError) {
    guard !isNaN else { throw .nonConformingNumber(.nan) }
    writer.write(self)
  }
}
