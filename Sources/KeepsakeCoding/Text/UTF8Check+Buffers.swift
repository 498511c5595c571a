extension UTF8Check {
  /// The offset of the first sequence that is not valid, of a text behind which nothing may be read.
  static func firstInvalid(in text: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let start = text.baseAddress else { return nil }
    // The last bytes are checked where there are others behind them.
    var split = max(0, text.count - loadedBytes)
    if let invalid = firstInvalid(from: start, to: start + split) {
      // A sequence that continues behind the end is examined again.
      guard invalid > start + split - 4 else { return invalid - start }
      split = invalid - start
    }
    let count = text.count - split
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { end in
      guard let copy = end.baseAddress else { return nil }
      end.initialize(repeating: 0)
      copy.update(from: start + split, count: count)
      return firstInvalid(from: UnsafePointer(copy), to: copy + count).map {
        split + ($0 - UnsafePointer(copy))
      }
    }
  }

  /// How many bytes are read from any address in a text, which may go beyond its end.
  private static let loadedBytes = 16
}
