#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How a value is encoded, by its type.
enum EncodingKind: Sendable {
  case bool, int, int8, int16, int32, int64, int128
  case uint, uint8, uint16, uint32, uint64, uint128
  case float, double, string
  case date, data, url, uuid, decimal
  /// An array or dictionary, which is gone through without its own `encode(to:)`.
  case direct(any DirectlyEncodable.Type)
  /// By its own `encode(to:)`.
  case own
}

/// Remembers how values of the types that were met are encoded.
struct EncodingTypeTable: ~Copyable {
  private struct Entry {
    var type: ObjectIdentifier?
    var kind: EncodingKind
  }

  /// Two entries for each of 128 hashes.
  private static var size: Int { 256 }
  private let entries: UnsafeMutablePointer<Entry>

  init() {
    entries = .allocate(capacity: Self.size)
    entries.initialize(repeating: Entry(type: nil, kind: .own), count: Self.size)
  }

  deinit { entries.deallocate() }

  /// How a type is encoded.
  @inline(__always)
  func kind<T>(of type: T.Type) -> EncodingKind {
    let identifier = ObjectIdentifier(type)
    // Eight bits: always below the size.
    let index = identifier.hash(bits: 8)
    if entries[index].type == identifier { return entries[index].kind }
    let other = index ^ 1
    if entries[other].type == identifier { return entries[other].kind }
    return learn(type, at: entries[index].type == nil ? index : other)
  }

  @inline(never)
  private func learn<T>(_ type: T.Type, at index: Int) -> EncodingKind {
    let kind = Self.kinds[ObjectIdentifier(type)] ?? Self.directKind(of: type)
    entries[index] = Entry(type: ObjectIdentifier(type), kind: kind)
    return kind
  }

  private static func directKind(of type: Any.Type) -> EncodingKind {
    if let direct = type as? any DirectlyEncodable.Type { return .direct(direct) }
    return .own
  }

  private static let kinds: [ObjectIdentifier: EncodingKind] = [
    ObjectIdentifier(Bool.self): .bool,
    ObjectIdentifier(Int.self): .int,
    ObjectIdentifier(Int8.self): .int8,
    ObjectIdentifier(Int16.self): .int16,
    ObjectIdentifier(Int32.self): .int32,
    ObjectIdentifier(Int64.self): .int64,
    ObjectIdentifier(Int128.self): .int128,
    ObjectIdentifier(UInt.self): .uint,
    ObjectIdentifier(UInt8.self): .uint8,
    ObjectIdentifier(UInt16.self): .uint16,
    ObjectIdentifier(UInt32.self): .uint32,
    ObjectIdentifier(UInt64.self): .uint64,
    ObjectIdentifier(UInt128.self): .uint128,
    ObjectIdentifier(Float.self): .float,
    ObjectIdentifier(Double.self): .double,
    ObjectIdentifier(String.self): .string,
    ObjectIdentifier(Date.self): .date,
    ObjectIdentifier(Data.self): .data,
    ObjectIdentifier(URL.self): .url,
    ObjectIdentifier(UUID.self): .uuid,
    ObjectIdentifier(Decimal.self): .decimal,
  ]
}
