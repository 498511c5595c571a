extension JSON {
  /// A text that is being decoded, and what decoding it needs to know.
  ///
  /// Decoders and containers hold the document, so that who keeps one of them keeps the text too;
  /// but they reach it through ``Entries``, a plain pointer, which costs no retain on the way.
  final class Document {
    let entries: Entries

    /// What changes while values are decoded is the tape's cursors and the tables: a decoder is not
    /// `Sendable`, so one thread at a time does it.
    struct State: ~Copyable {
      var tape: Tape
      /// The document itself, which owns this.
      var document: Unmanaged<Document>?
      let options: Decoder.Options
      let keys: KeyMatching
      /// Whether keys are compared byte for byte.
      let isDirect: Bool
      /// The values by key of objects whose keys had to be converted, or are looked up at random.
      var tables: [Int: KeyTable] = [:]
      /// What `superDecoder` was asked for and the text does not have.
      var absences: [Absence] = []
      var places = PlaceFinder()
      var steps = PathSteps()
      /// Containers to be used again, until the decoding ends.
      var containers: ContainerPool.Cache?
      /// A number that no other use of these containers has; zero once the decoding has ended.
      var coding: UInt64 = 0

      init(tape: consuming Tape, options: Decoder.Options) {
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

    private init(_ state: consuming State) {
      let pointer = UnsafeMutablePointer<State>.allocate(capacity: 1)
      pointer.initialize(to: state)
      entries = Entries(state: pointer)
      pointer.pointee.document = Unmanaged.passUnretained(self)
    }

    deinit {
      entries.state.deinitialize(count: 1)
      entries.state.deallocate()
    }

    /// Gives the document what was counted in its text before, and takes what it has counted.
    func exchange(_ places: inout PlaceFinder) {
      // The pointer alone would not keep what it points to.
      withExtendedLifetime(self) { swap(&entries.state.pointee.places, &places) }
    }

    /// Decodes what the document holds.
    func decode<Result>(_ body: (ValueDecoder) throws -> Result) throws -> Result {
      let containers = ContainerPool.take()
      entries.state.pointee.containers = containers
      entries.state.pointee.coding = containers.countUse()
      defer {
        // The containers hold the document, which holds them.
        entries.state.pointee.containers = nil
        entries.state.pointee.coding = 0
        ContainerPool.giveBack(containers)
        withExtendedLifetime(self) {}
      }
      return try withExtendedLifetime(self) { try body(entries.decoder(at: 0)) }
    }
  }

  /// A document's entries: valid as long as somebody holds the document.
  struct Entries {
    let state: UnsafeMutablePointer<Document.State>

    /// The decoder of a value.
    @inline(__always) func decoder(at index: Int) -> ValueDecoder {
      ValueDecoder(
        document: state.pointee.document.unsafelyUnwrapped.takeUnretainedValue(), entries: self,
        index: index)
    }
  }
}

extension JSON.Document {
  /// Takes a text apart that holds one value.
  convenience init(_ input: JSON.Input, _ options: JSON.Decoder.Options) throws(JSON.ParseError) {
    var reader = Self.reader(of: input, options)
    var tape = JSON.Tape(input, byteCount: min(input.count, JSON.Tape.maximumByteCount))
    do throws(JSON.Fault) {
      // A text of another encoding may have become longer.
      guard input.count <= JSON.Tape.maximumByteCount else { throw JSON.Fault(.tooLarge, at: 0) }
      try tape.append(from: &reader, duplicates: options.duplicates)
      try reader.finish()
    } catch {
      throw JSON.ParseError(error, in: input, syntax: options.syntax)
    }
    self.init(State(tape: tape, options: options))
  }

  /// Takes the next value of a text apart that holds several.
  ///
  /// - Parameter offset: Where the value begins, or whitespace before it; afterwards where it ends.
  /// - Returns: `nil` if no value is left.
  static func next(
    in input: JSON.Input, _ options: JSON.Decoder.Options, at offset: inout Int
  ) throws(JSON.ParseError) -> JSON.Document? {
    var reader = reader(of: input, options)
    reader.position += offset
    var tape = JSON.Tape(input, byteCount: 256)
    do throws(JSON.Fault) {
      _ = try reader.skipWhitespace()
      if reader.position == reader.end { return nil }
      guard input.count <= JSON.Tape.maximumByteCount else { throw JSON.Fault(.tooLarge, at: 0) }
      try tape.append(from: &reader, duplicates: options.duplicates)
      // A bracket or a quote ends a value; a number or a word ends only before something else.
      switch tape.kind(0) {
      case .string, .array, .object: break
      case .null, .true, .false, .number:
        if reader.isWithinWord { throw reader.fault(.trailingData) }
      }
    } catch {
      throw JSON.ParseError(error, in: input, syntax: options.syntax)
    }
    offset = reader.offset
    return JSON.Document(State(tape: tape, options: options))
  }

  private static func reader(of input: JSON.Input, _ options: JSON.Decoder.Options) -> JSON.Reader {
    JSON.Reader(
      input.start, count: input.count, syntax: options.syntax, maximumDepth: options.maximumDepth)
  }
}
