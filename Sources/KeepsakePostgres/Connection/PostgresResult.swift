#if Postgres
import CPostgres

/// The rows that a statement returned, in PostgreSQL's binary format.
///
/// `@unchecked Sendable`: libpq does not change a result after it has returned it, and lets any thread read it
/// ("libpq: Behavior in Threaded Programs"); it is released when nobody has it any more.
final class PostgresResult: @unchecked Sendable {
  private let pointer: OpaquePointer

  /// - Parameter pointer: A result of libpq, which nobody else uses or releases.
  init(_ pointer: OpaquePointer) {
    self.pointer = pointer
  }

  deinit { PQclear(pointer) }

  var rows: Range<Int> { 0..<Int(PQntuples(pointer)) }

  /// Why the statement failed; nil if it did not.
  var failure: PostgresFailure? {
    switch PQresultStatus(pointer) {
    case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR: break
    default: return nil
    }
    guard let state = PQresultErrorField(pointer, Int32(UInt8(ascii: "C"))) else {
      return .lost(oneLine(PQresultErrorMessage(pointer)))
    }
    func field(_ name: Unicode.Scalar) -> String? {
      PQresultErrorField(pointer, Int32(name.value)).map { String(cString: $0) }
    }
    // Its message, detail and hint.
    let text = ["M", "D", "H"].compactMap(field).joined(separator: " ")
    // What ends the connection, or the server as where its disk fails, may come after a commit was made.
    if let severity = field("V"), severity != "ERROR" { return .lost(text) }
    return .refused(state: String(cString: state), text: text)
  }

  /// The bytes of a field; nil for NULL.
  func bytes(_ row: Int, _ column: Int) -> [UInt8]? {
    withBytes(row, column) { Array($0) }
  }

  func text(_ row: Int, _ column: Int) -> String {
    withBytes(row, column) { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// An integer of any size; nil for NULL.
  func integer(_ row: Int, _ column: Int) -> Int64? {
    withBytes(row, column) { bytes in
      var value: Int64 = bytes.first.map { $0 < 0x80 ? 0 : -1 } ?? 0
      for byte in bytes { value = value << 8 | Int64(byte) }
      return value
    }
  }

  /// The elements of an array, nil for those that are NULL.
  ///
  /// - Throws: ``PostgresFailure/unusable(_:)`` if it has several dimensions.
  func array(_ row: Int, _ column: Int) throws(PostgresFailure) -> [[UInt8]?] {
    try withBytes(row, column) { bytes throws(PostgresFailure) in
      // After the header: dimensions, a flag, the elements' type; for each dimension its length and first index.
      var offset = 12
      func next() -> Int32 {
        defer { offset += 4 }
        return Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
      }
      guard bytes.count >= 20 else { return [] }
      guard bytes.loadUnaligned(as: Int32.self).bigEndian == 1 else {
        throw .unusable("An array of the table keepsake.commits has several dimensions.")
      }
      let count = next()
      offset = 20
      return (0..<count).map { _ in
        let length = Int(next())
        guard length >= 0 else { return nil }
        defer { offset += length }
        return Array(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length]))
      }
    } ?? []
  }

  private func withBytes<Value, Failure>(
    _ row: Int, _ column: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    let (row, column) = (Int32(row), Int32(column))
    guard PQgetisnull(pointer, row, column) == 0 else { return nil }
    return try body(
      UnsafeRawBufferPointer(
        start: PQgetvalue(pointer, row, column),
        count: Int(PQgetlength(pointer, row, column))))
  }
}
#endif
