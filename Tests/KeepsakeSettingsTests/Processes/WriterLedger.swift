import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport

/// The changes acknowledged to one writer, which is killed and started repeatedly.
struct WriterLedger {
  let prefix: String
  /// The last number that was acknowledged under each key.
  private var acknowledged: [String: Int] = [:]
  /// The numbers that a kill may have stopped between the change and its acknowledgment.
  private var possible: [String: Set<Int>] = [:]
  private(set) var count = 0
  private var next = 1
  private(set) var problems: [String] = []
  private var worker: Worker?

  init(prefix: String) { self.prefix = prefix }

  /// Starts the writer unless it runs.
  mutating func start(in directory: WorkerDirectory) throws {
    if worker == nil {
      worker = try directory.worker("write", prefix, "\(next)", "1000000000")
    }
  }

  /// Waits until something more was acknowledged.
  mutating func awaitAcknowledgement() throws {
    guard let worker, let line = try worker.readLine() else { throw Worker.Failure.ended }
    note([line])
  }

  /// Reads what was acknowledged so far.
  mutating func readAcknowledgements() throws {
    if let worker { note(try worker.readLines()) }
  }

  /// Kills the writer, if it runs.
  mutating func kill() throws {
    guard let worker else { return }
    worker.kill()
    while let line = try worker.readLine() { note([line]) }
    problems += worker.problems
    possible[writtenKey(prefix, next), default: []].insert(next)
    next += 1
    self.worker = nil
  }

  private mutating func note(_ lines: [String]) {
    for number in lines.compactMap({ Int($0) }) {
      let key = writtenKey(prefix, number)
      acknowledged[key] = number
      possible[key] = nil
      next = number + 1
      count += 1
    }
  }

  /// The errors in the writer's values, which are removed from the dictionary.
  ///
  /// - Parameter earlier: What was acknowledged before the values were read.
  func errors(in values: inout [String: String], since earlier: WriterLedger) -> [String] {
    var errors: [String] = []
    for index in 0..<writtenKeyCount {
      let key = writtenKey(prefix, index)
      let value = values.removeValue(forKey: key)
      let number = value.flatMap { Int($0.prefix { $0 != ":" }) }
      if let value,
        number.map({ writtenText($0) == value && writtenKey(prefix, $0) == key }) != true
      {
        errors.append("\(key) has a value that no process wrote: \(value)")
        continue
      }
      let oldest = earlier.acknowledged[key]
      let isKept = number == oldest || number.map { possible[key]?.contains($0) == true } == true
      let isLater = worker != nil && number.map { $0 > oldest ?? 0 && $0 <= next } == true
      if !isKept && !isLater {
        errors.append("\(key) has \(number ?? -1), where \(oldest ?? -1) was acknowledged")
      }
    }
    return errors
  }

  /// The errors in the values of a store that is opened now.
  static func errors(
    of writers: inout [WriterLedger], in directory: WorkerDirectory
  ) throws -> [String] {
    for index in writers.indices { try writers[index].readAcknowledgements() }
    let before = writers
    let problems = Problems()
    let store = try directory.open(problems)
    var values: [String: String] = [:]
    for name in store.names { values[name] = store[SettingsKey<String?>(name)] }
    // Running writers may have written more meanwhile.
    for index in writers.indices { try writers[index].readAcknowledgements() }
    var errors = problems.all.map { "\($0)" }
    for (writer, before) in zip(writers, before) {
      errors += writer.errors(in: &values, since: before)
    }
    return errors + values.keys.map { "no process wrote the key \($0)" }
  }
}
