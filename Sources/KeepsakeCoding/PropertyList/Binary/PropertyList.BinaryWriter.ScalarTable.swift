#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PropertyList.BinaryWriter {
  /// The scalars that have a number already.
  struct ScalarTable {
    private struct Slot {
      var record: UInt32
      /// One more than the object's number; 0 if the slot is free.
      var number: UInt32
      var isKey: Bool
      /// A part of the hash.
      var tag: UInt32
    }
    private let slots: UnsafeMutablePointer<Slot>
    private let mask: Int

    /// - Parameter capacity: The most records; each may have a key too.
    init(capacity: Int) {
      var count = 64
      while count < capacity * 3 { count *= 2 }
      slots = .allocate(capacity: count)
      UnsafeMutableRawPointer(slots).initializeMemory(
        as: UInt8.self, repeating: 0, count: count * MemoryLayout<Slot>.stride)
      mask = count - 1
    }

    func free() { slots.deallocate() }

    /// The number of the object for a record's value or key; if there is none yet, `next`.
    @inline(__always)
    func number(
      of records: Records, _ record: Int, isKey: Bool, next: Int
    ) -> (number: UInt32, isNew: Bool) {
      let hash = Self.hash(of: records, record, isKey: isKey)
      let tag = UInt32(truncatingIfNeeded: hash >> 32)
      var index = Int(truncatingIfNeeded: hash) & mask
      while slots[index].number != 0 {
        let slot = slots[index]
        if slot.tag == tag,
          Self.areEqual(
            records, Int(slot.record), isKey: slot.isKey, record, isOtherKey: isKey)
        {
          return (slot.number - 1, false)
        }
        index = (index + 1) & mask
      }
      let number = UInt32(truncatingIfNeeded: next)
      slots[index] = Slot(
        record: UInt32(truncatingIfNeeded: record), number: number + 1, isKey: isKey, tag: tag)
      return (number, true)
    }

    @inline(__always)
    private static func hash(
      of records: Records, _ record: Int, isKey: Bool
    ) -> UInt64 {
      let kind = records.records[record].kind
      if isKey || kind == .string {
        let bytes = isKey ? records.keyBytes(record) : records.textBytes(record)
        return hash(bytes.baseAddress!, count: bytes.count)
      }
      if kind == .data {
        return records.data(record).withUnsafeBytes { bytes in
          guard let base = bytes.baseAddress else { return 0 }
          return hash(base.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        }
      }
      let product = (records.records[record].payload ^ UInt64(kind.rawValue) << 56)
        .multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      return product.high ^ product.low
    }

    /// The hash of bytes: of long ones, only of both ends and of some bytes between.
    @inline(__always)
    private static func hash(_ bytes: UnsafePointer<UInt8>, count: Int) -> UInt64 {
      if count <= 4096 { return ByteHash.hash(bytes, count: count) }
      var hash = ByteHash.hash(bytes, count: 1024) &+ UInt64(count)
      for part in 1..<32 {
        hash = hash &* 31 &+ ByteHash.hash(bytes + count / 32 * part, count: 32)
      }
      return hash &* 31 &+ ByteHash.hash(bytes + count - 1024, count: 1024)
    }

    @inline(__always)
    private static func areEqual(
      _ records: Records, _ record: Int, isKey: Bool, _ other: Int, isOtherKey: Bool
    ) -> Bool {
      let kind = isKey ? .string : records.records[record].kind
      guard kind == (isOtherKey ? .string : records.records[other].kind) else { return false }
      switch kind {
      case .string:
        let bytes = isKey ? records.keyBytes(record) : records.textBytes(record)
        let otherBytes = isOtherKey ? records.keyBytes(other) : records.textBytes(other)
        return bytes.count == otherBytes.count
          && ByteComparison.areEqual(bytes.baseAddress!, otherBytes.baseAddress!, bytes.count)
      case .data: return records.data(record) == records.data(other)
      default: return records.records[record].payload == records.records[other].payload
      }
    }
  }
}
