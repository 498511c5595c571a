#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import KeepsakeBase

/// How a type is decoded: by itself, or by a way of its own.
struct TypeShape {
  enum Kind: UInt8 {
    /// By its `init(from:)`.
    case ordinary
    /// By its ``WholeDecodable/init(_:at:)``.
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
  /// Finds the shape of a type, which is slow: hence ``of(_:)``.
  private init<T>(finding type: T.Type) {
    if let kind = Self.kinds[ObjectIdentifier(type)] {
      self.init(kind: kind)
      return
    }
    // The cast is what takes long.
    let whole = type as? any WholeDecodable.Type
    self.init(kind: whole == nil ? .ordinary : .whole, whole: whole)
  }

  private static let kinds: [ObjectIdentifier: Kind] = [
    ObjectIdentifier(String.self): .string, ObjectIdentifier(Bool.self): .bool,
    ObjectIdentifier(Double.self): .double, ObjectIdentifier(Float.self): .float,
    ObjectIdentifier(Decimal.self): .decimal,
    ObjectIdentifier(Int.self): .int, ObjectIdentifier(Int8.self): .int8,
    ObjectIdentifier(Int16.self): .int16, ObjectIdentifier(Int32.self): .int32,
    ObjectIdentifier(Int64.self): .int64, ObjectIdentifier(Int128.self): .int128,
    ObjectIdentifier(UInt.self): .uint, ObjectIdentifier(UInt8.self): .uint8,
    ObjectIdentifier(UInt16.self): .uint16, ObjectIdentifier(UInt32.self): .uint32,
    ObjectIdentifier(UInt64.self): .uint64, ObjectIdentifier(UInt128.self): .uint128,
    ObjectIdentifier(Date.self): .date, ObjectIdentifier(Data.self): .data,
    ObjectIdentifier(URL.self): .url, ObjectIdentifier(UUID.self): .uuid,
    ObjectIdentifier(JSON.Value.self): .value,
  ]

  /// The shape of a type, from a table that is filled as types are met.
  ///
  /// - Complexity: O(1) for the first thousand types that a process decodes; for those after them,
  ///   that of a dynamic cast.
  static func of<T>(_ type: T.Type) -> Self {
    table.shape(of: type) { Self(finding: type) }
  }

  private static let table = Table()

  /// A hash table that threads read without a lock: what is in it is never changed or removed.
  private final class Table: Sendable {
    private static let capacity = 2048

    private struct Entry: ~Copyable {
      /// The type; 0 until the shape is written, after which neither changes.
      let type = Atomic<UInt>(0)
      var shape = TypeShape(kind: .ordinary, whole: nil)

      init() {}
    }

    /// The pointer is never freed; an entry's shape is written under the lock, before its type is
    /// stored with release ordering, and read only after the type was loaded with acquire ordering.
    private nonisolated(unsafe) let entries: UnsafeMutablePointer<Entry>
    private let count = Mutex(0)

    init() {
      entries = .allocate(capacity: Self.capacity)
      for index in 0..<Self.capacity { (entries + index).initialize(to: Entry()) }
    }

    @inline(__always)
    func shape<T>(of type: T.Type, finding: () -> TypeShape) -> TypeShape {
      let identifier = ObjectIdentifier(type)
      let key = UInt(bitPattern: identifier)
      // Eleven bits: always below the capacity.
      var index = identifier.hash(bits: 11)
      while true {
        let found = entries[index].type.load(ordering: .acquiring)
        if found == key { return entries[index].shape }
        if found == 0 { return insert(identifier, finding()) }
        index = (index &+ 1) & (Self.capacity - 1)
      }
    }

    @inline(never) private func insert(
      _ identifier: ObjectIdentifier, _ shape: TypeShape
    ) -> TypeShape {
      let key = UInt(bitPattern: identifier)
      count.withLock { count in
        // Half of the entries stay empty, so every search ends soon.
        guard count < Self.capacity / 2 else { return }
        var index = identifier.hash(bits: 11)
        while true {
          let found = entries[index].type.load(ordering: .relaxed)
          if found == key { return }
          if found == 0 { break }
          index = (index + 1) & (Self.capacity - 1)
        }
        entries[index].shape = shape
        entries[index].type.store(key, ordering: .releasing)
        count += 1
      }
      return shape
    }
  }
}
