import KeepsakeBase

/// What an encoding has to keep while it lasts.
///
/// JSON is written straight into a buffer as long as containers are used in the order of the text:
/// the container of the innermost frame, whose token is `active`, writes. Any use out of that
/// order starts to record (`startRecording()`): what was written becomes records, and so does
/// everything after it. Property lists, whose formats begin with what is known last, are recorded
/// from the first value.
///
/// Encoders and containers point to the state without counting references, which would take up to
/// half of the time. That is safe for two reasons. The memory of a state is never freed: states are
/// reused. And each writer shows a token, a number that no other container of the state ever
/// had or will have: a container that outlived its encoding shows one that is less than
/// `firstToken`. Another thread may be using the state by then, so nothing but `active` and
/// `firstToken`, which are atomic, is read before the tokens were compared.
///
/// No method here calls what users wrote, so none is called while another one runs.
struct EncodingState: ~Copyable {
  var options = EncodingOptions()
  var keyStyle = KeyStyle.unchanged
  var sortsKeys = false
  /// How many calls of `encode(to:)` run within each other.
  var recursion = 0
  /// What a method that cannot throw would have thrown.
  var failure: (any Error)?

  /// The container that writes into the buffer, as one comparison tells.
  var active: UInt64 {
    @inline(__always) get { activeWord.load(ordering: .relaxed) }
    @inline(__always) nonmutating set { activeWord.store(newValue, ordering: .relaxed) }
  }
  var lastToken: UInt64 = 0
  /// The first token of this encoding.
  var firstToken: UInt64 {
    @inline(__always) get { firstTokenWord.load(ordering: .relaxed) }
    @inline(__always) nonmutating set { firstTokenWord.store(newValue, ordering: .relaxed) }
  }
  private let activeWord = Atomic<UInt64>(EncodingState.noToken)
  private let firstTokenWord = Atomic<UInt64>(1)

  /// JSON: in order or, while the encoding is recorded, the values that records refer to.
  var writer = JSON.Writer(capacity: 4096)
  /// The open frames, the innermost last.
  var frames = GrowingBuffer<EncodingFrame>()
  /// The entries of the open objects, those of the innermost last.
  var entries = GrowingBuffer<EncodingEntry>()
  var keptKeys: [any CodingKey] = []
  var closed: [ClosedContainer] = []
  /// Whether there was a nested container.
  var hasNested = false

  var isRecording = false
  var records = Records()
  /// The token of the first record; those after it have the tokens after that.
  var firstRecordToken = EncodingState.noToken
  /// The records of containers that were made before the encoding was recorded.
  var recordsOfTokens: [UInt64: Int] = [:]
  /// The keys of records, for coding paths: of those that are not there the text is known.
  var recordKeys: [(any CodingKey)?] = []
  var keyIndex = KeyIndex()
  /// Whether a date that XML has no text for was recorded.
  var hadDateWithoutText = false

  var types = EncodingTypeTable()
  let containers = KeyedContainerCache<EncodingCell>()

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
  static let noToken = UInt64.max

  init() {}
}

extension EncodingState {
  /// Whether a token is of this encoding.
  @inline(__always)
  func isCurrent(_ token: UInt64) -> Bool { token >= firstToken }

  /// A token that was never used before.
  @inline(__always)
  mutating func newToken() -> UInt64 {
    lastToken &+= 1
    return lastToken
  }

  /// Prepares for an encoding.
  mutating func begin(_ options: EncodingOptions) {
    firstToken = lastToken + 1
    self.options = options
    guard options.format == .json else { return beginRecording() }
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

  mutating func beginRecording() {
    isRecording = true
    active = Self.noToken
    firstRecordToken = lastToken + 1
  }

  /// Whether anything was encoded.
  var hasValue: Bool {
    isRecording ? records.records[0].kind != .none : writer.count > 0
  }

  /// Forgets an encoding, however it ended, and makes all its tokens void.
  mutating func end() {
    if isRecording { endRecording() }
    active = Self.noToken
    lastToken += 1
    firstToken = lastToken + 1
    writer.truncate(to: 0)
    frames.removeAll()
    entries.removeAll()
    if !keptKeys.isEmpty { keptKeys.removeAll() }
    if !closed.isEmpty { closed.removeAll() }
    recursion = 0
    hasNested = false
    failure = nil
    options = EncodingOptions()
    keyStyle = .unchanged
    // A container that outlives the encoding has a token that is no longer valid.
    containers.retire { _ in }
  }

  private mutating func endRecording() {
    lastToken = max(lastToken, firstRecordToken + UInt64(records.count))
    firstRecordToken = Self.noToken
    isRecording = false
    records.removeAll()
    if !recordsOfTokens.isEmpty { recordsOfTokens.removeAll() }
    if !recordKeys.isEmpty { recordKeys.removeAll() }
    keyIndex.removeAll()
    hadDateWithoutText = false
  }
}
