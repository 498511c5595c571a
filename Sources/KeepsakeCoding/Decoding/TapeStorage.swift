/// Keeps a tape, and what decoding from it needs, for the decoders and containers that read it.
///
/// Each of them holds this object, so that one which outlives its decoding can still be used; but
/// they reach the tape through ``TapeValues``, a plain pointer, which costs no retain on the way.
final class TapeStorage {
  let values: TapeValues

  /// What changes while values are decoded is the tape's cursors and the tables: a decoder is not
  /// `Sendable`, so one thread at a time does it.
  struct State: ~Copyable {
    var tape: Tape
    /// The storage itself, which owns this.
    var storage: Unmanaged<TapeStorage>?
    let options: DecodingOptions
    let keys: KeyMatching
    /// Whether keys are compared byte for byte.
    let isDirect: Bool
    /// Where in the text the value is, if it is one within another.
    var origin: Int?
    /// The values by key of objects whose keys had to be converted, or are looked up at random.
    var tables: [Int: KeyTable] = [:]
    /// What `superDecoder` was asked for and the file does not have.
    var absences: [Absence] = []
    var locations = LocationFinder()
    var steps = PathSteps()
    /// Containers to be used again, until the decoding ends.
    var containers: DecodingContainerPool.Cache?
    /// A number that no other use of these containers has; zero once the decoding has ended.
    var coding: UInt64 = 0

    init(tape: consuming Tape, options: DecodingOptions) {
      self.tape = tape
      self.options = options
      keys = KeyMatching(options.key)
      isDirect = keys.isExact
    }
  }

  /// A key without a value.
  struct Absence {
    var object: Int
    var key: any CodingKey
  }

  init(_ tape: consuming Tape, _ options: DecodingOptions) {
    let pointer = UnsafeMutablePointer<State>.allocate(capacity: 1)
    pointer.initialize(to: State(tape: tape, options: options))
    values = TapeValues(state: pointer)
    pointer.pointee.storage = Unmanaged.passUnretained(self)
  }

  deinit {
    values.state.deinitialize(count: 1)
    values.state.deallocate()
  }

  /// Copies the file's bytes, if the caller owns them.
  func keepInput() { values.state.pointee.tape.keepInput() }

  /// Exchanges what was counted to find lines, which values of one text share.
  func exchange(_ locations: inout LocationFinder) {
    // The pointer alone would not keep what it points to.
    withExtendedLifetime(self) { swap(&values.state.pointee.locations, &locations) }
  }

  /// Decodes the file's value.
  func decode<Result>(_ body: (ValueDecoder) throws -> Result) throws -> Result {
    let containers = DecodingContainerPool.acquire()
    values.state.pointee.containers = containers.pointee
    values.state.pointee.coding = containers.pointee.countUse()
    defer {
      // The containers hold the storage, which holds them.
      values.state.pointee.containers = nil
      values.state.pointee.coding = 0
      DecodingContainerPool.release(containers)
      withExtendedLifetime(self) {}
    }
    return try withExtendedLifetime(self) { try body(values.decoder(at: 0)) }
  }
}

/// The values of a tape: valid as long as there is a reference to the storage.
struct TapeValues {
  let state: UnsafeMutablePointer<TapeStorage.State>

  /// The decoder of a value.
  @inline(__always) func decoder(at index: Int) -> ValueDecoder {
    ValueDecoder(
      storage: state.pointee.storage.unsafelyUnwrapped.takeUnretainedValue(), values: self,
      index: index)
  }
}
