/// A binary property list made object by object, to be wrong in any way.
struct BinaryFile {
  var objects: [[UInt8]]
  var top: UInt64 = 0
  var offsetSize: UInt8 = 1
  var referenceSize: UInt8 = 1
  /// Instead of the right ones.
  var offsets: [Int: UInt8] = [:]
  var objectCount: UInt64?
  var tableOffset: UInt64?

  init(_ objects: [UInt8]...) { self.objects = objects }

  var bytes: [UInt8] {
    var bytes = Array("bplist00".utf8)
    var table: [UInt8] = []
    for (index, object) in objects.enumerated() {
      let offset = offsets[index].map { UInt64($0) } ?? UInt64(bytes.count)
      table += Self.bigEndian(offset).suffix(Int(offsetSize))
      bytes += object
    }
    let tableOffset = self.tableOffset ?? UInt64(bytes.count)
    bytes += table
    bytes += [0, 0, 0, 0, 0, 0, offsetSize, referenceSize]
    bytes += Self.bigEndian(objectCount ?? UInt64(objects.count)) + Self.bigEndian(top)
    return bytes + Self.bigEndian(tableOffset)
  }

  private static func bigEndian(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
  }
}
