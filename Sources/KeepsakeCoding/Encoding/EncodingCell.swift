/// Where a keyed container writes, and what its keys are as text.
struct EncodingCell: ContainerCell {
  var handle: EncodingHandle
  var texts: KeyTexts?
  var recordKeys = RecordKeys()

  func free() {
    texts?.free()
    recordKeys.free()
  }
}

extension UnsafeMutablePointer<EncodingCell> {
  /// Writes the key of an entry of the object that is open.
  @inline(__always)
  func writeKey<Key: CodingKey>(_ key: Key) {
    let state = pointee.handle.state
    guard let texts = pointee.texts else { return pointee.handle.writeKey(key) }
    let byte = texts.byte(of: key)
    if let text = texts.text(of: byte, in: state.pointee.firstToken) {
      state.pointee.writeKey(text, byte, of: texts)
    } else {
      writeNewKey(key, byte)
    }
  }

  @inline(never)
  private func writeNewKey<Key: CodingKey>(_ key: Key, _ byte: Int) {
    let state = pointee.handle.state
    let start = state.pointee.writer.count
    pointee.handle.writeKey(key)
    // What a function makes of a key depends on the path to it.
    if case .custom = state.pointee.keyStyle { return }
    let text = UnsafeBufferPointer(
      start: state.pointee.writer.base + start, count: state.pointee.writer.count - start)
    pointee.texts?.note(
      byte, text, hash: state.pointee.entries.last.pointee.hash, in: state.pointee.firstToken)
  }
}

extension EncodingState {
  /// Writes the key of an entry whose text was kept, and notes where the entry is.
  @inline(__always)
  mutating func writeKey(
    _ text: UnsafePointer<KeyTexts.Entry>, _ byte: Int, of texts: KeyTexts
  ) {
    entries.append(
      EncodingEntry(
        start: writer.count, keyLength: text.pointee.length, hash: text.pointee.hash))
    writer.append(text)
    let frame = frames.last
    let source = EncodingFrame.KeySource(texts)
    let bit = 1 &<< UInt64(byte) as UInt64
    if frame.pointee.keySource == source, frame.pointee.keysPresent & bit == 0 {
      frame.pointee.keysPresent |= bit
    } else {
      frame.pointee.keySource = frame.pointee.keySource == .none ? source : .any
      frame.pointee.keysPresent = bit
    }
  }
}

extension JSON.Writer {
  @inline(__always)
  fileprivate mutating func append(_ text: UnsafePointer<KeyTexts.Entry>) {
    // All of it, regardless of its length: what is behind the text is written over.
    reserve(KeyTexts.maximumLength)
    UnsafeMutableRawPointer(next).storeBytes(of: text.pointee.text.0, as: SIMD16<UInt8>.self)
    UnsafeMutableRawPointer(next + 16).storeBytes(of: text.pointee.text.1, as: SIMD16<UInt8>.self)
    UnsafeMutableRawPointer(next + 32).storeBytes(of: text.pointee.text.2, as: SIMD16<UInt8>.self)
    next += Int(text.pointee.length)
  }
}
