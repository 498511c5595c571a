import KeepsakeBase

/// Memory for texts and for what they are taken apart into.
///
/// Fresh memory of some hundred kilobytes costs a page fault every four of them, which is a tenth
/// of the time of decoding: so a few pieces are kept for whoever is next. Who would have to wait for
/// another thread does without.
@usableFromInline enum BufferPool {
  /// Smaller pieces come from the allocator, which has them at hand; larger ones are not kept.
  private static let keptSizes = 1 << 13...largestKept
  static let largestKept = 1 << 20
  /// As many pieces as two decodings at the same time need.
  private static let keptCount = 4

  /// The piece belongs to whoever holds it; the pool itself does not look into it.
  private struct Piece: @unchecked Sendable {
    var start: UnsafeMutableRawPointer
    var count: Int
  }

  private static let idle = Mutex<[Piece]>([])

  /// Memory of at least some size, aligned for words, and the size that it has.
  static func take(_ count: Int) -> UnsafeMutableRawBufferPointer {
    if keptSizes.contains(count) {
      let piece = idle.withLockIfAvailable { idle -> Piece? in
        guard let index = idle.lastIndex(where: { $0.count >= count }) else { return nil }
        return idle.remove(at: index)
      }
      if let piece = piece ?? nil {
        return UnsafeMutableRawBufferPointer(start: piece.start, count: piece.count)
      }
    }
    return UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
  }

  @usableFromInline static func giveBack(_ buffer: UnsafeMutableRawBufferPointer) {
    guard keptSizes.contains(buffer.count), let start = buffer.baseAddress else {
      return buffer.deallocate()
    }
    // In place of the smallest one if there are enough: what grew leaves pieces of every size.
    let dropped = idle.withLockIfAvailable { idle -> Piece? in
      idle.append(Piece(start: start, count: buffer.count))
      guard idle.count > keptCount,
        let smallest = idle.indices.min(by: { idle[$0].count < idle[$1].count })
      else { return nil }
      return idle.remove(at: smallest)
    }
    switch dropped {
    case .none: buffer.deallocate()
    case .some(let piece): piece?.start.deallocate()
    }
  }
}
