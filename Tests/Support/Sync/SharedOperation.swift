/// One operation that a process was asked for, on a value that it shares with others.
struct SharedOperation: Sendable {
  enum Kind: String, Sendable {
    // Transactions with `.everywhere`.
    case read, write, replace, increment
    case writeBoth = "write-both"
    case readBoth = "read-both"
    /// The value is set, and nothing is waited for.
    case put
    /// The value is set, and then everything is synchronized with `.everywhere`.
    case synchronize
    /// What the process itself has is read.
    case peek
  }

  enum Outcome: Hashable, Sendable {
    /// It was made: what was read or written.
    case made(Int?)
    /// Nothing was changed, as the process says.
    case failed
    /// There was an error, or the process was killed.
    case unknown
    /// Of two values that are only written together, one was read without the other.
    case torn
  }

  /// No other one has it, and it is the value that this one writes, unless it removes the value.
  let number: Int
  let kind: Kind
  let key: String
  /// The new value.
  var value: Int?
  /// The value that must be there to be replaced.
  var expected: Int?
  /// The machine, and which of all processes.
  let machine: Int
  let process: Int
  var invoked: Int64
  /// Nil if the process was killed before it answered.
  var completed: Int64?
  var outcome = Outcome.unknown

  /// The command for the process.
  var line: String {
    func text(_ value: Int?) -> String { value.map(String.init) ?? "nothing" }
    return "\(number) \(kind.rawValue) \(key) "
      + "\(text(kind == .replace ? expected : value)) \(text(value))"
  }

  /// Takes the process's answer.
  mutating func take(_ words: [Substring]) {
    guard words.count >= 4, let start = Int64(words[1]), let end = Int64(words[2]) else { return }
    (invoked, completed) = (start, end)
    switch words[3] {
    case "made" where words.last == "torn": outcome = .torn
    case "made": outcome = .made(Int(words[4]))
    case "failed": outcome = .failed
    default: outcome = .unknown
    }
  }

  var isMade: Bool {
    if case .made = outcome { true } else { false }
  }

  /// Whether the value is set in the process's files, and sent from there.
  var isLocal: Bool { kind == .put || kind == .synchronize }

  /// Whether the value is certainly in the process's files.
  var isLocallyMade: Bool { isLocal && completed != nil }

  var isTransaction: Bool { !isLocal && kind != .peek }

  /// The value that is written, if it is; nil for a removal, and for what writes nothing of its own.
  var written: Int? {
    switch kind {
    case .read, .readBoth, .peek, .increment: nil
    case .write, .writeBoth, .put, .synchronize, .replace: value
    }
  }
}
