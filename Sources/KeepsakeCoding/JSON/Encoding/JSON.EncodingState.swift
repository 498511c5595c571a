extension JSON {
  /// What an encoding has to keep while it lasts.
  ///
  /// Encoders and containers point to it without counting references, which would take up to half
  /// of the time. That is safe for two reasons. The memory of a state is never given back: states
  /// are reused (`JSON.EncodingState+Pool.swift`). And whoever writes shows a ticket, a number that no
  /// other container of the state ever had or will have: a container that outlived its encoding
  /// shows one that is not valid any more, and writes nothing.
  ///
  /// The container of the innermost frame, whose ticket is `active`, writes straight into the
  /// buffer. That is the usual case, and one comparison tells it.
  ///
  /// No method here calls what users wrote, so none is called while another one runs.
  struct EncodingState: ~Copyable {
    var active: UInt64 = JSON.EncodingState.nobody
    var writer = JSON.Writer(capacity: 4096)

    /// The open frames, the innermost last.
    var frames = GrowingBuffer<JSON.EncodingFrame>()
    /// The entries of the open objects, those of the innermost last.
    var records = GrowingBuffer<JSON.EncodingRecord>()
    var keptKeys: [any CodingKey] = []
    var closed: [JSON.ClosedContainer] = []
    /// The containers that are written out of order, for each frame that has such.
    var trees: [JSON.EncodingTree] = []

    var lastTicket: UInt64 = 0
    /// The container that the next frame is within, if that is not the one that is open.
    var parentOfNext: UInt64 = 0
    /// The first ticket of this encoding.
    var firstTicket: UInt64 = 1
    /// Whether there was a nested container.
    var hasNested = false
    /// How many calls of `encode(to:)` run within each other.
    var recursion = 0
    /// What a method that cannot throw would have thrown.
    var failure: (any Error)?

    var options = JSON.EncodingOptions()
    var keyStyle = KeyStyle.unchanged
    var sortsKeys = false
    var types = JSON.EncodingTypeTable()
    let containers = KeyedContainerCache<JSON.EncodingCell>()

    enum KeyStyle {
      case unchanged
      case separated(by: UInt8)
      case custom
    }

    /// Calls of `encode(to:)` within each other; a type that encodes itself without end would
    /// otherwise end the program.
    static let maximumRecursion = 1_500

    /// What `active` is when no container may write into the buffer. It is not the zero of a handle
    /// that never may.
    static let nobody = UInt64.max

    init() {}
  }
}

extension JSON.EncodingState {
  /// A ticket that was never used before.
  @inline(__always)
  mutating func newTicket() -> UInt64 {
    lastTicket &+= 1
    return lastTicket
  }

  /// Prepares for an encoding.
  mutating func begin(options: JSON.EncodingOptions) {
    firstTicket = lastTicket + 1
    self.options = options
    writer.escapedSlash =
      options.outputFormatting.contains(.withoutEscapingSlashes)
      ? UInt8(ascii: "\"") : UInt8(ascii: "/")
    sortsKeys = options.outputFormatting.contains(.sortedKeys)
    keyStyle =
      switch options.keys {
      case .useDefaultKeys: .unchanged
      case .convertToSnakeCase: .separated(by: UInt8(ascii: "_"))
      case ._convertToKebabCase: .separated(by: UInt8(ascii: "-"))
      case .custom: .custom
      }
  }

  /// Forgets an encoding, however it ended, and makes all its tickets void.
  mutating func end() {
    active = Self.nobody
    lastTicket += 1
    firstTicket = lastTicket + 1
    writer.truncate(to: 0)
    frames.removeAll()
    records.removeAll()
    if !keptKeys.isEmpty { keptKeys.removeAll() }
    if !closed.isEmpty { closed.removeAll() }
    if !trees.isEmpty { trees.removeAll() }
    recursion = 0
    parentOfNext = 0
    hasNested = false
    failure = nil
    options = JSON.EncodingOptions()
    // A container that somebody has kept shows a ticket that is not valid any more.
    containers.retire { _ in }
  }

  // MARK: Frames

  /// Opens a frame, or returns `nil` if there are too many.
  @inline(__always)
  mutating func push(
    key: JSON.EncodingFrame.Key, mark: JSON.EncodingMark, shape: JSON.EncodingFrame.Shape,
    isScope: Bool, isNested: Bool = false
  ) -> UInt64? {
    guard frames.count <= JSON.Writer.maximumDepth else { return nil }
    let ticket = newTicket()
    frames.append(
      JSON.EncodingFrame(
        ticket: ticket, parent: parentOfNext, key: key, mark: mark, start: writer.count,
        recordBase: records.count,
        closedBase: closed.count, keyBase: keptKeys.count, shape: shape, isScope: isScope,
        isNested: isNested))
    active = ticket
    parentOfNext = 0
    return ticket
  }

  /// Whether the value of the innermost frame, or one inside, may be an object or array.
  @inline(__always)
  func canOpen(inside: Bool = false) -> Bool {
    inside
      ? frames.count < JSON.Writer.maximumDepth : frames.count <= JSON.Writer.maximumDepth
  }

  /// Opens the object or array of the innermost frame.
  @inline(__always)
  mutating func open(_ shape: JSON.EncodingFrame.Shape) {
    frames.last.pointee.shape = shape
    writer.append(shape == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
  }

  /// Writes the end of the innermost frame's value, and leaves the frame.
  @inline(__always)
  mutating func closeLast() {
    let frame = frames.last
    switch frame.pointee.shape {
    case .empty: writer.append("{},")
    case .object:
      arrangeEntries(from: frame.pointee.recordBase)
      records.truncate(to: frame.pointee.recordBase)
      writer.close(with: UInt8(ascii: "}"))
    case .array: writer.close(with: UInt8(ascii: "]"))
    case .value: break
    case .tree: closeTree(at: frames.count - 1)
    }
    frames.removeLast()
  }

  /// Ends a scope, with all that was opened within.
  @inline(__always)
  mutating func endScope(at level: Int) {
    if hasNested { mergeReopened(level) }
    while frames.count > level + 1 {
      if frames.last.pointee.shape == .tree { frames.removeLast() } else { closeLast() }
    }
    let frame = frames[level]
    closeLast()
    leave(frame)
    if frame.adopter != 0 { adopt(frame) }
  }

  /// Ends a scope that failed, and takes back its entry.
  mutating func discardScope(at level: Int) {
    guard frames.count > level else { return }
    let frame = frames[level]
    frames.truncate(to: level)
    writer.truncate(to: frame.mark.start)
    records.truncate(to: frame.mark.records)
    if !trees.isEmpty { trees.removeAll { $0.scope >= level } }
    leave(frame)
  }

  @inline(__always)
  private mutating func leave(_ frame: JSON.EncodingFrame) {
    if closed.count > frame.closedBase { closed.removeSubrange(frame.closedBase...) }
    if keptKeys.count > frame.keyBase { keptKeys.removeSubrange(frame.keyBase...) }
    activateLast()
  }

  /// Lets the innermost container write.
  @inline(__always)
  mutating func activateLast() {
    guard frames.count > 0 else { return active = Self.nobody }
    let frame = frames.last
    active = frame.pointee.shape == .tree ? Self.nobody : frame.pointee.ticket
  }
}
