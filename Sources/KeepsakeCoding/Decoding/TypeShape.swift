#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How a type is decoded: by itself, or by a way of its own.
struct TypeShape: Sendable {
  enum Kind: UInt8, Sendable {
    /// By its `init(from:)`.
    case ordinary
    /// By its ``WholeDecodable/decode(_:at:into:)``.
    case whole
    case string, bool, double, float, decimal
    case int, int8, int16, int32, int64, int128
    case uint, uint8, uint16, uint32, uint64, uint128
    case date, data, url, uuid, value
  }

  var kind: Kind
  /// The type itself, if it is decoded whole.
  var whole: (any WholeDecodable.Type)?
}

extension TypeShape {
  /// The shape of a type, from a table that is filled as types are met.
  ///
  /// - Complexity: O(1) for the first thousand types that a process decodes; for those after them,
  ///   that of a dynamic cast.
  @inline(__always)
  static func known<T>(_ type: T.Type) -> Self? { table.known(of: ObjectIdentifier(type)) }

  /// Finds the shape of a type that the table does not have.
  ///
  /// Whether a type is an array, a dictionary or an optional only a dynamic cast tells, which takes
  /// 20 us at its first use: as long as decoding hundreds of values. Their own `init(from:)` does
  /// the same, only slower, and so it decodes the first values of each type.
  ///
  /// - Parameters:
  ///   - size: How many values are about to be decoded with the shape.
  ///   - isRequired: Whether `init(from:)` would not do the same: it would have the keys of a
  ///     dictionary converted as the decoder's strategy says, and of two keys that are equal, but
  ///     written in other scalars, it never takes the last.
  @inline(never)
  static func find<T>(_ type: T.Type, size: Int, isRequired: Bool) -> Self {
    let identifier = ObjectIdentifier(type)
    let shape: Self
    if let kind = scalarKind(identifier) {
      shape = Self(kind: kind)
    } else {
      guard table.countUse(of: identifier, size: size) || isRequired else {
        return Self(kind: .ordinary)
      }
      let whole = type as? any WholeDecodable.Type
      shape = Self(kind: whole == nil ? .ordinary : .whole, whole: whole)
    }
    table.insert(shape, of: identifier)
    return shape
  }

  private static let table = TypeTable<Self>()

  // A dictionary of them would take longer to make than a hundred comparisons.
  private static func scalarKind(_ type: ObjectIdentifier) -> Kind? {
    if type == ObjectIdentifier(String.self) { return .string }
    if type == ObjectIdentifier(Bool.self) { return .bool }
    if type == ObjectIdentifier(Double.self) { return .double }
    if type == ObjectIdentifier(Float.self) { return .float }
    if type == ObjectIdentifier(Decimal.self) { return .decimal }
    if type == ObjectIdentifier(Int.self) { return .int }
    if type == ObjectIdentifier(Int8.self) { return .int8 }
    if type == ObjectIdentifier(Int16.self) { return .int16 }
    if type == ObjectIdentifier(Int32.self) { return .int32 }
    if type == ObjectIdentifier(Int64.self) { return .int64 }
    if type == ObjectIdentifier(Int128.self) { return .int128 }
    if type == ObjectIdentifier(UInt.self) { return .uint }
    if type == ObjectIdentifier(UInt8.self) { return .uint8 }
    if type == ObjectIdentifier(UInt16.self) { return .uint16 }
    if type == ObjectIdentifier(UInt32.self) { return .uint32 }
    if type == ObjectIdentifier(UInt64.self) { return .uint64 }
    if type == ObjectIdentifier(UInt128.self) { return .uint128 }
    if type == ObjectIdentifier(Date.self) { return .date }
    if type == ObjectIdentifier(Data.self) { return .data }
    if type == ObjectIdentifier(URL.self) { return .url }
    if type == ObjectIdentifier(UUID.self) { return .uuid }
    if type == ObjectIdentifier(JSON.Value.self) { return .value }
    return nil
  }
}
