import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport

/// What one writer, who is killed and started again and again, was told is kept.
struct WriterLedger {
  let prefix: String
  /// The last number that was acknowledged under each key.
  private var acknowledged: [String: Int] = [:]
  /// The numbers that a kill may have cut off between the change and its acknowledgement.
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

  /// Takes in what was acknowledged by now.
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

  /// What is wrong with the writer's values, which are taken out of all.
  ///
  /// - Parameter earlier: What was acknowledged before the values were read.
  func faults(in values: inout [String: String], since earlier: WriterLedger) -> [String] {
    var faults: [String] = []
    for index in 0..<writtenKeyCount {
      let key = writtenKey(prefix, index)
      let value = values.removeValue(forKey: key)
      let number = value.flatMap { Int($0.prefix { $0 != ":" }) }
      if let value,
        number.map({ writtenText($0) == value && writtenKey(prefix, $0) == key }) != true
      {
        faults.append("\(key) holds what nobody wrote: \(value)")
        continue
      }
      let oldest = earlier.acknowledged[key]
      let isKept = number == oldest || number.map { possible[key]?.contains($0) == true } == true
      let isLater = worker != nil && number.map { $0 > oldest ?? 0 && $0 <= next } == true
      if !isKept && !isLater {
        faults.append("\(key) holds \(number ?? -1), where \(oldest ?? -1) was acknowledged")
      }
    }
    return faults
  }

  /// What is wrong with the values of a store that is opened now.
  static func faults(
    of writers: inout [WriterLedger], in directory: WorkerDirectory
  ) throws -> [String] {
    for index in writers.indices { try writers[index].readAcknowledgements() }
    let before = writers
    let problems = Problems()
    let store = try directory.open(problems)
    var values: [String: String] = [:]
    for name in store.names { values[name] = store[SettingsKey<String?>(name)] }
    // Those that run may have got further meanwhile.
    for index in writers.indices { try writers[index].readAcknowledgements() }
    var faults = problems.all.map { "\($0)" }
    for (writer, before) in zip(writers, before) {
      faults += writer.faults(in: &values, since: before)
    }
    return faults + values.keys.map { "nobody wrote the key \($0)" }
  }
}
