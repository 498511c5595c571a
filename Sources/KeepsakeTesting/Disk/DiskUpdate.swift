/// A change to a disk that has not been flushed yet.
struct DiskUpdate: Sendable {
  /// A kind of change; each survives a power cut completely or not at all.
  enum Change: Sendable {
    /// A sector's bytes, up to the file's end at that time.
    case sector(Int, [UInt8])
    /// A file's size.
    case size(Int)
    /// A new name in a directory, and whether it replaces another file's.
    case link(String, target: Int, replaces: Bool)
    /// A removed name, and the update that linked the file's new name, if it was renamed.
    case unlink(String, renamedBy: Int?)
  }

  /// Unique on its disk, and increasing.
  var id: Int
  /// The file or directory that changes.
  var node: Int
  /// The change.
  var change: Change
}

extension DiskUpdate: CustomStringConvertible {
  var description: String {
    switch change {
    case .sector(let sector, let bytes): "\(bytes.count) bytes of sector \(sector) of file \(node)"
    case .size(let size): "size \(size) of file \(node)"
    case .link(let name, let target, _): "name '\(name)' of \(target) in directory \(node)"
    case .unlink(let name, _): "no name '\(name)' in directory \(node)"
    }
  }
}
