package import KeepsakeFiles
package import SystemPackage

/// An open file that forwards calls to another one, except those that it implements.
package protocol ForwardingFile: OpenFile {
  var base: any OpenFile { get }
}

extension ForwardingFile {
  package var path: FilePath { base.path }
  package var hasAtomicAppends: Bool { base.hasAtomicAppends }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(FileError) -> Int {
    try base.read(into: buffer, at: offset)
  }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) -> Int {
    try base.write(bytes)
  }

  package func append(
    _ bytes: UnsafeRawBufferPointer
  ) throws(FileError) -> (end: Int64, count: Int) {
    try base.append(bytes)
  }

  package func truncate(to size: Int64) throws(FileError) { try base.truncate(to: size) }
  package func synchronize() throws(FileError) { try base.synchronize() }
  package func synchronizeAll() throws(FileError) { try base.synchronizeAll() }
  package func information() throws(FileError) -> FileInformation { try base.information() }
}
