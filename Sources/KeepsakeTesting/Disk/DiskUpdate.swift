/// One change to a disk that no flush has made durable yet.
struct DiskUpdate: Sendable {
  /// What changes; each survives a power cut whole or not at all.
  enum Change: Sendable {
    /// A sector's bytes, up to the file's end at that moment.
    case sector(Int, [UInt8])
    /// A file's size.
    case size(Int)
    /// A name in a directory, and whether it was another file's until then.
    case link(String, target: Int, replaces: Bool)
    /// A name that is gone, and the update that gave its file another one.
    case unlink(String, renamedBy: Int?)
  }

  /// Differs among all updates of a disk and grows.
  var id: Int
  /// The file or directory that changes.
  var node: Int
  /// What changes.
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
