import KeepsakeBase

/// Memory for texts and for what they are taken apart into.
///
/// Fresh memory of some hundred kilobytes costs a page fault every four of them, which is a tenth
/// of the time of decoding: so a few buffers are kept for the next coding. A caller that would have to wait
/// for another thread gets a new one.
@usableFromInline enum BufferPool {
  /// Smaller buffers come from the allocator, which has them ready; larger ones are not kept.
  private static let keptSizes = 1 << 13...largestKept
  static let largestKept = 1 << 20
  /// As many buffers as two decodings at the same time need.
  private static let keptCount = 4

  /// The buffer belongs to the caller that acquired it; the pool itself does not access it.
  private struct Buffer: @unchecked Sendable {
    var start: UnsafeMutableRawPointer
    var count: Int
  }

  private static let idle = Mutex<[Buffer]>([])

  /// Memory of at least some size, aligned for words, and the size that it has.
  static func acquire(_ count: Int) -> UnsafeMutableRawBufferPointer {
    if keptSizes.contains(count) {
      let buffer = idle.withLockIfAvailable { idle -> Buffer? in
        guard let index = idle.lastIndex(where: { $0.count >= count }) else { return nil }
        return idle.remove(at: index)
      }
      if let buffer = buffer ?? nil {
        return UnsafeMutableRawBufferPointer(start: buffer.start, count: buffer.count)
      }
    }
    return UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
  }

  @usableFromInline static func release(_ buffer: UnsafeMutableRawBufferPointer) {
    guard keptSizes.contains(buffer.count), let start = buffer.baseAddress else {
      return buffer.deallocate()
    }
    // In place of the smallest one if there are enough: a buffer that grew leaves others of every size.
    let dropped = idle.withLockIfAvailable { idle -> Buffer? in
      idle.append(Buffer(start: start, count: buffer.count))
      guard idle.count > keptCount,
        let smallest = idle.indices.min(by: { idle[$0].count < idle[$1].count })
      else { return nil }
      return idle.remove(at: smallest)
    }
    switch dropped {
    case .none: buffer.deallocate()
    case .some(let buffer): buffer?.start.deallocate()
    }
  }
}
