/// The answers to all that a type asks its decoder for, in the order in which it asks.
///
/// They are written down as the type encodes itself, which goes through the same calls.
struct FloorScript {
  /// Each kind of answer, and how many of them were given.
  struct Answers<Answer> {
    var all: [Answer] = []
    var given = 0

    mutating func next() -> Answer {
      defer { given &+= 1 }
      return all[given]
    }
  }

  var strings = Answers<String>()
  var integers = Answers<Int>()
  var doubles = Answers<Double>()
  var flags = Answers<Bool>()
  /// Whether there is a value where there need not be one.
  var presences = Answers<Bool>()
  /// The number of the elements of an array.
  var counts = Answers<Int>()
  /// The keys of an object.
  var keys = Answers<[String]>()

  /// Whether answers are written down.
  var isRecording = false

  mutating func rewind() {
    strings.given = 0
    integers.given = 0
    doubles.given = 0
    flags.given = 0
    presences.given = 0
    counts.given = 0
    keys.given = 0
  }
}

/// What the calls of `Codable` cost by themselves, when nothing is read and nothing written.
///
/// Decoding hands out values that were made before; encoding takes them and does nothing.
struct Floor<Value: Codable & Equatable> {
  static var name: String { "Codable alone" }
  /// Never freed: the benchmark ends with the process.
  private let script: UnsafeMutablePointer<FloorScript>

  /// - Throws: ``WrongResult`` if the type does not ask for what it encodes, in the same order.
  init(_ value: Value) throws {
    script = .allocate(capacity: 1)
    script.initialize(to: FloorScript(isRecording: true))
    try encode(value)
    script.pointee.isRecording = false
    guard try decode() == value else { throw WrongResult(name: Self.name) }
  }

  func decode() throws -> Value {
    script.pointee.rewind()
    return try Value(from: FloorDecoder(script: script))
  }

  func encode(_ value: Value) throws { try value.encode(to: FloorEncoder(script: script)) }

  var decoding: Contestant {
    Contestant(name: Self.name) { count in
      try Clock.thread.time(of: count) { _ in Sink.take(try decode()) }
    }
  }

  func encoding(_ value: Value) -> Contestant {
    Contestant(name: Self.name) { count in
      try Clock.thread.time(of: count) { _ in try encode(value) }
    }
  }
}
