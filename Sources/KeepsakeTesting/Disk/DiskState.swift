import KeepsakeFiles
import SystemPackage

/// A whole disk at one moment, as processes see it and as it would be after a power cut; copies
/// are copy-on-write.
struct DiskState: Sendable {
  /// A file.
  struct File: Sendable {
    /// The bytes that processes see.
    var live: [UInt8] = []
    /// The durable state.
    var stored = StoredFile()
    var permissions: FilePermissions
    var linkCount = 1
    var modified: Int64 = 0
  }

  /// A directory.
  struct Directory: Sendable {
    /// The names that processes see, and their nodes.
    var live: [String: Int] = [:]
    /// The durable names, and their nodes.
    var stored: [String: Int] = [:]
    var modified: Int64 = 0
  }

  static let root = 1

  var model: SimulatedDisk.Model
  var files: [Int: File] = [:]
  var directories: [Int: Directory] = [root: Directory()]
  /// The updates that were not flushed, in order.
  var pending: [DiskUpdate] = []
  var garbage = Garbage()
  /// The last write, which may be incomplete if its process died.
  var lastWrite: (node: Int, range: Range<Int>)?
  private var lastNode = root
  private var lastUpdate = 0
  /// Nanoseconds since 1970; advances by a millisecond with every change.
  private var clock: Int64 = 1_000_000_000_000_000_000

  init(model: SimulatedDisk.Model) {
    self.model = model
  }

  /// Creates a disk with some of another's files and directories, and nothing pending.
  init(_ other: DiskState, files: [Int: File], directories: [Int: Directory]) {
    model = other.model
    self.files = files
    self.directories = directories
    garbage = other.garbage
    lastNode = other.lastNode
    clock = other.clock
  }
}

// MARK: - Names

extension DiskState {
  /// The file or directory at a path.
  func node(at path: FilePath) -> Int? { node(at: path.names[...]) }

  private func node(at names: ArraySlice<String>) -> Int? {
    var node = Self.root
    for name in names {
      guard let next = directories[node]?.live[name] else { return nil }
      node = next
    }
    return node
  }

  func directory(
    at path: FilePath, _ operation: FileError.Operation
  ) throws(FileError) -> Int {
    guard let node = node(at: path) else {
      throw FileError(operation, path, .noSuchFileOrDirectory)
    }
    guard directories[node] != nil else { throw FileError(operation, path, .notDirectory) }
    return node
  }

  /// The parent directory and the last name of a path.
  func location(
    of path: FilePath, _ operation: FileError.Operation
  ) throws(FileError) -> (directory: Int, name: String) {
    let names = path.names
    guard let name = names.last else { throw FileError(operation, path, .fileExists) }
    guard let directory = node(at: names.dropLast()) else {
      throw FileError(operation, path, .noSuchFileOrDirectory)
    }
    guard directories[directory] != nil else { throw FileError(operation, path, .notDirectory) }
    return (directory, name)
  }

  /// The parent directory of a path.
  func parent(of path: FilePath) -> Int? { node(at: path.names.dropLast()) }

  func information(of node: Int) -> FileInformation {
    let identity = FileInformation.Identity(device: 1, number: UInt64(node))
    guard let file = files[node] else {
      return FileInformation(
        kind: .directory, size: 0, permissions: .ownerReadWriteExecute, identity: identity,
        modified: directories[node]?.modified ?? 0)
    }
    return FileInformation(
      kind: .file, size: Int64(file.live.count), linkCount: file.linkCount,
      permissions: file.permissions, identity: identity, modified: file.modified)
  }

  mutating func createFile(
    _ path: FilePath, permissions: FilePermissions
  ) throws(FileError) -> Int {
    let (directory, name) = try location(of: path, .open)
    guard directories[directory]?.live[name] == nil else {
      throw FileError(.open, path, .fileExists)
    }
    let node = newNode()
    files[node] = File(permissions: permissions, modified: tick())
    link(name, in: directory, to: node, replaces: false)
    return node
  }

  mutating func createDirectory(_ path: FilePath) throws(FileError) {
    let (directory, name) = try location(of: path, .createDirectory)
    guard directories[directory]?.live[name] == nil else {
      throw FileError(.createDirectory, path, .fileExists)
    }
    let node = newNode()
    directories[node] = Directory(modified: tick())
    link(name, in: directory, to: node, replaces: false)
  }

  mutating func rename(_ path: FilePath, to newPath: FilePath) throws(FileError) {
    let (directory, name) = try location(of: path, .rename)
    let (newDirectory, newName) = try location(of: newPath, .rename)
    guard let node = directories[directory]?.live[name] else {
      throw FileError(.rename, path, .noSuchFileOrDirectory)
    }
    let replaced = directories[newDirectory]?.live[newName]
    if replaced == node { return }
    if let replaced {
      if directories[replaced] != nil { throw FileError(.rename, newPath, .isDirectory) }
      if directories[node] != nil { throw FileError(.rename, newPath, .notDirectory) }
      release(replaced)
    }
    let update = link(newName, in: newDirectory, to: node, replaces: replaced != nil)
    unlink(name, in: directory, renamedBy: update)
  }

  /// Exchanges the names of two files; after a power cut one of them may have both.
  mutating func exchange(_ path: FilePath, with otherPath: FilePath) throws(FileError) {
    let (directory, name) = try location(of: path, .rename)
    let (otherDirectory, otherName) = try location(of: otherPath, .rename)
    guard let node = directories[directory]?.live[name],
      let otherNode = directories[otherDirectory]?.live[otherName]
    else { throw FileError(.rename, path, .noSuchFileOrDirectory) }
    link(name, in: directory, to: otherNode, replaces: true)
    link(otherName, in: otherDirectory, to: node, replaces: true)
  }

  mutating func link(_ path: FilePath, to newPath: FilePath) throws(FileError) {
    let (directory, name) = try location(of: path, .link)
    let (newDirectory, newName) = try location(of: newPath, .link)
    guard let node = directories[directory]?.live[name] else {
      throw FileError(.link, path, .noSuchFileOrDirectory)
    }
    if directories[newDirectory]?.live[newName] != nil { throw FileError(.link, path, .fileExists) }
    guard files[node] != nil else { throw FileError(.link, path, .notPermitted) }
    files[node]!.linkCount += 1
    link(newName, in: newDirectory, to: node, replaces: false)
  }

  mutating func remove(_ path: FilePath) throws(FileError) {
    let (directory, name) = try location(of: path, .remove)
    guard let node = directories[directory]?.live[name] else {
      throw FileError(.remove, path, .noSuchFileOrDirectory)
    }
    if directories[node]?.live.isEmpty == false {
      throw FileError(.remove, path, .directoryNotEmpty)
    }
    release(node)
    unlink(name, in: directory, renamedBy: nil)
  }

  @discardableResult
  private mutating func link(
    _ name: String, in directory: Int, to node: Int, replaces: Bool
  ) -> Int {
    directories[directory]!.live[name] = node
    directories[directory]!.modified = tick()
    return queue(.link(name, target: node, replaces: replaces), of: directory)
  }

  private mutating func unlink(_ name: String, in directory: Int, renamedBy update: Int?) {
    directories[directory]!.live[name] = nil
    directories[directory]!.modified = tick()
    queue(.unlink(name, renamedBy: update), of: directory)
  }

  /// Removes one link of a file; after the last, its blocks can be reused.
  private mutating func release(_ node: Int) {
    guard files[node] != nil else { return }
    files[node]!.linkCount -= 1
    if files[node]!.linkCount == 0 { garbage.removed = files[node]!.live }
  }
}

// MARK: - Bytes

extension DiskState {
  mutating func append(_ bytes: UnsafeRawBufferPointer, to node: Int) {
    guard !bytes.isEmpty else { return }
    let start = files[node]!.live.count
    files[node]!.live.append(contentsOf: bytes)
    files[node]!.modified = tick()
    let end = start + bytes.count
    lastWrite = (node, start..<end)
    let size = StoredFile.sectorSize
    for sector in start / size..<StoredFile.sectorCount(end) {
      let image = Array(files[node]!.live[sector * size..<min(end, (sector + 1) * size)])
      queue(.sector(sector, image), of: node)
    }
    queue(.size(end), of: node)
  }

  mutating func truncate(_ node: Int, to size: Int) {
    let old = files[node]!.live.count
    if size < old {
      files[node]!.live.removeLast(old - size)
    } else {
      files[node]!.live += [UInt8](repeating: 0, count: size - old)
    }
    files[node]!.modified = tick()
    queue(.size(size), of: node)
  }

  /// Creates a file as if another program had done so long ago: durable, with a new node.
  @discardableResult
  mutating func put(
    _ bytes: [UInt8], at path: FilePath, permissions: FilePermissions
  ) throws(FileError) -> Int {
    var directory = Self.root
    for name in path.names.dropLast() {
      if let next = directories[directory]?.live[name] {
        guard directories[next] != nil else { throw FileError(.open, path, .notDirectory) }
        directory = next
      } else {
        let node = newNode()
        directories[node] = Directory(modified: tick())
        enter(name, in: directory, node)
        directory = node
      }
    }
    let (_, name) = try location(of: path, .open)
    if let old = directories[directory]?.live[name] { release(old) }
    let node = newNode()
    files[node] = File(
      live: bytes, stored: StoredFile(bytes), permissions: permissions, modified: tick())
    enter(name, in: directory, node)
    return node
  }

  /// Adds a name that is durable immediately.
  private mutating func enter(_ name: String, in directory: Int, _ node: Int) {
    pending.removeAll { update in
      guard update.node == directory else { return false }
      return switch update.change {
      case .link(name, _, _), .unlink(name, _): true
      default: false
      }
    }
    directories[directory]!.live[name] = node
    directories[directory]!.stored[name] = node
    directories[directory]!.modified = tick()
  }

  mutating func corrupt(_ node: Int, at offset: Int, xor mask: UInt8) {
    files[node]!.live[offset] ^= mask
    files[node]!.modified = tick()
    files[node]!.stored = StoredFile(files[node]!.live)
    pending.removeAll { $0.node == node }
  }

  private mutating func newNode() -> Int {
    lastNode += 1
    return lastNode
  }

  private mutating func tick() -> Int64 {
    clock += 1_000_000
    return clock
  }

  @discardableResult
  private mutating func queue(_ change: DiskUpdate.Change, of node: Int) -> Int {
    lastUpdate += 1
    pending.append(DiskUpdate(id: lastUpdate, node: node, change: change))
    return lastUpdate
  }
}
