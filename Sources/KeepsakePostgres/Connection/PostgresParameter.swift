#if Postgres
import CPostgres

/// A parameter of a statement, in PostgreSQL's binary format.
struct PostgresParameter: Sendable {
  /// The identifiers of types, as `pg_type.dat` gives them.
  private enum TypeID {
    static let bytes: Oid = 17
    static let character: Oid = 18
    static let integer64: Oid = 20
    static let integer32: Oid = 23
    static let text: Oid = 25
  }

  let type: Oid
  let bytes: [UInt8]

  static func text(_ text: String) -> PostgresParameter {
    PostgresParameter(type: TypeID.text, bytes: Array(text.utf8))
  }

  static func integer(_ value: Int32) -> PostgresParameter {
    PostgresParameter(type: TypeID.integer32, bytes: bigEndian(value))
  }

  static func integer(_ value: Int64) -> PostgresParameter {
    PostgresParameter(type: TypeID.integer64, bytes: bigEndian(value))
  }

  /// An array of `bytea`, with NULL for nil.
  static func byteArrays(_ elements: [[UInt8]?]) -> PostgresParameter {
    array(1001, of: TypeID.bytes, elements)
  }

  /// An array of `"char"`, which is one byte.
  static func characters(_ elements: [UInt8]) -> PostgresParameter {
    array(1002, of: TypeID.character, elements.map { [$0] })
  }

  static func integers(_ elements: [Int64]) -> PostgresParameter {
    array(1016, of: TypeID.integer64, elements.map { bigEndian($0) })
  }

  private static func array(
    _ type: Oid, of element: Oid, _ elements: [[UInt8]?]
  ) -> PostgresParameter {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(elements.reduce(20) { $0 + 4 + ($1?.count ?? 0) })
    // The number of dimensions, whether there may be NULL, the type; then the length and the first index.
    bytes += bigEndian(Int32(elements.isEmpty ? 0 : 1)) + bigEndian(Int32(1)) + bigEndian(element)
    if !elements.isEmpty { bytes += bigEndian(Int32(elements.count)) + bigEndian(Int32(1)) }
    for element in elements {
      bytes += bigEndian(Int32(element?.count ?? -1))
      if let element { bytes += element }
    }
    return PostgresParameter(type: type, bytes: bytes)
  }

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}
#endif
