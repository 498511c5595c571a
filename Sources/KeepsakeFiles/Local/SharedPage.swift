#if os(Linux) || os(Android)
import KeepsakeBase
import SystemPackage

/// A file mapped into memory, as words that are only ever touched atomically.
///
/// `@unchecked Sendable`: the pointer never changes while the object lives, and whatever is
/// reached through it is an `Atomic`.
final class SharedPage: @unchecked Sendable {
  private let base: UnsafeMutableRawPointer
  private let size: Int

  init(mapping file: LocalFile, size: Int) throws(FileError) {
    guard try file.information().size >= size else {
      throw FileError(.lock, file.path, Errno(rawValue: EPROTO), effect: "it was cut short")
    }
    guard
      let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor, 0),
      base != MAP_FAILED
    else { throw FileError(.lock, file.path, .current) }
    self.base = base
    self.size = size
  }

  deinit { munmap(base, size) }

  func word(at offset: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    (base + offset).assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  func halfWord(at offset: Int) -> UnsafeMutablePointer<Atomic<UInt32>> {
    (base + offset).assumingMemoryBound(to: Atomic<UInt32>.self)
  }
}
#endif
