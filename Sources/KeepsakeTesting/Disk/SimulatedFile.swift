import KeepsakeFiles
import SystemPackage

/// An open file of a simulated disk.
final class SimulatedFile: OpenFile {
  let path: FilePath
  private let disk: SimulatedDisk
  private let node: Int
  private let isWritable: Bool

  init(disk: SimulatedDisk, node: Int, path: FilePath, isWritable: Bool) {
    self.disk = disk
    self.node = node
    self.path = path
    self.isWritable = isWritable
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(FileError) -> Int {
    let bytes = try disk.call(.read, path) { [node, size = buffer.count] (state, partial) in
      let bytes = state.files[node]!.live
      let start = min(Int(offset), bytes.count)
      let count = min(size, bytes.count - start)
      return bytes[start..<start + (partial ? (count + 1) / 2 : count)]
    }
    buffer.copyBytes(from: bytes)
    return bytes.count
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) -> Int {
    try append(bytes).count
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) -> (end: Int64, count: Int) {
    guard isWritable else { throw FileError(.write, path, .badFileDescriptor) }
    let bytes = [UInt8](bytes)
    return try disk.call(.write, path, changing: true) { [node] (state, failure) in
      if failure == .noSpace {
        bytes.withUnsafeBytes { state.append(.init(rebasing: $0[..<($0.count / 2)]), to: node) }
      }
    } _: { [node] (state, partial) in
      let count = partial ? (bytes.count + 1) / 2 : bytes.count
      bytes.withUnsafeBytes { state.append(.init(rebasing: $0[..<count]), to: node) }
      return (Int64(state.files[node]!.live.count), count)
    }
  }

  var hasAtomicAppends: Bool { true }

  func truncate(to size: Int64) throws(FileError) {
    guard isWritable else { throw FileError(.truncate, path, .invalidArgument) }
    try disk.call(.truncate, path, changing: true) { [node] (state, _) in
      state.truncate(node, to: Int(size))
    }
  }

  func synchronize() throws(FileError) {
    try disk.call(.synchronize, path, changing: true) { [node] (state, failure) in
      if failure != .interrupted { state.forgetUnflushed(node) }
    } _: { [node] (state, _) in
      state.flush(node)
    }
  }

  func synchronizeAll() throws(FileError) {
    try disk.call(.synchronize, path, changing: true) { (state, failure) in
      if failure != .interrupted { state.forgetUnflushed() }
    } _: { (state, _) in
      state.flush()
    }
  }

  func information() throws(FileError) -> FileInformation {
    try disk.call(.examine, path) { [node] (state, _) in state.information(of: node) }
  }
}
