import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite(
  "A disk that fails",
  .enabled(
    if: TemporaryDisk.Format.current != .tmpfs, "Scripts/check-disks has disks that fail"),
  .serialized)
struct FailingDiskTests {
  /// What one of several writers was told.
  private struct Writer {
    let name: String
    /// The number that each key has at least, because it was synchronized.
    private(set) var synchronized: [String: Int] = [:]
    private(set) var counts: [String: Int] = [:]
    private var written: [String: Int] = [:]
    private var refused: Set<Int> = []
    private var number = 0

    init(_ name: String) { self.name = name }

    var key: String { writtenKey(name, number) }
    var text: String { Self.text(number) }
    private static func text(_ number: Int) -> String {
      writtenText(number) + String(repeating: "-", count: 1500)
    }

    mutating func begin() { number += 1 }

    /// Takes in what became of the number.
    mutating func note(_ error: String?) {
      counts[error == nil ? "set" : "set refused", default: 0] += 1
      if error == nil { written[key] = number } else { refused.insert(number) }
    }

    mutating func noteSynchronized(_ error: String?, isTrusted: Bool) {
      counts[error == nil ? "synchronized" : "synchronize refused", default: 0] += 1
      if error == nil && isTrusted { synchronized.merge(written) { $1 } }
    }

    var summary: String {
      let counts = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      return "\(name) \(counts.joined(separator: ", "))"
    }

    var hasFailed: Bool { counts["synchronize refused"] != nil || counts["set refused"] != nil }

    /// What is wrong with the values that a disk has after it failed.
    func faults(in store: SettingsStore) -> [String] {
      var faults: [String] = []
      for index in 0..<writtenKeyCount {
        let key = writtenKey(name, index)
        let value = store[SettingsKey<String?>(key)]
        let found = value.flatMap { Int($0.prefix { $0 != ":" }) } ?? 0
        if let value, value != Self.text(found) || writtenKey(name, found) != key {
          faults.append("\(key) has what no process wrote: \(value)")
        } else if found < synchronized[key] ?? 0 {
          faults.append("\(key) has \(found), where \(synchronized[key]!) was synchronized")
        } else if refused.contains(found) {
          faults.append("\(key) has \(found), which was refused")
        }
      }
      return faults
    }
  }

  @Test(
    "P2: keeps what was synchronized, and each call returns or throws", .timeLimit(.minutes(10)),
    arguments: [1 << 18, 1 << 20, 1 << 22])
  func fails(room: Int) throws {
    try FailingDisk.with { disk in
      let directory = WorkerDirectory(disk.root)
      var writers = [Writer("store"), Writer("one"), Writer("other")]
      do {
        let store = try directory.open(Problems())
        let workers = try [directory.server(), directory.server()]
        var hasFailed = false

        func write(synchronizing: Bool) throws {
          for index in writers.indices { writers[index].begin() }
          for (worker, writer) in zip(workers, writers.dropFirst()) {
            try worker.tell("set \(writer.key) \(writer.text)")
            if synchronizing { try worker.tell("synchronize") }
          }
          let key = SettingsKey(writers[0].key, default: "")
          let text = writers[0].text
          writers[0].note(refusal { () throws(SettingsError) in try store.set(text, for: key) })
          var answers: [String?] = []
          if synchronizing {
            answers.append(refusal { () throws(SettingsError) in try store.synchronizeAndWait() })
          }
          for (index, worker) in workers.enumerated() {
            writers[index + 1].note(try answer(of: worker))
            if synchronizing { answers.append(try answer(of: worker)) }
          }
          hasFailed = hasFailed || answers.contains { $0 != nil }
          // ext4 tells one process that its own journal has failed, and the others that all is well.
          let isTrusted = !hasFailed || TemporaryDisk.Format.current != .ext4
          for (index, answer) in answers.enumerated() {
            writers[index].noteSynchronized(answer, isTrusted: isTrusted)
          }
        }

        for number in 1...100 { try write(synchronizing: number % 10 == 0) }
        #expect(!writers.contains { $0.hasFailed })
        disk.synchronize()
        try disk.limit(toBytes: room)
        var rounds = 0
        while !writers.allSatisfy(\.hasFailed) && rounds < 20_000 {
          rounds += 1
          try write(synchronizing: rounds % 10 == 0)
        }
        #expect(writers.contains { $0.hasFailed })
        for number in 1...100 { try write(synchronizing: number % 5 == 0) }
        // Now all else fails, too.
        disk.synchronize()
        for number in 1...100 { try write(synchronizing: number % 5 == 0) }
        _ = refusal { () throws(SettingsError) in try store.save() }
        // A process that comes reads the settings, or is told why it cannot.
        _ = refusal { () throws(SettingsError) in _ = try directory.open(Problems()).names }
        for worker in workers { #expect(try worker.end() == 0) }
        print("room for \(room) bytes: \(writers.map(\.summary).joined(separator: "; "))")
      }
      try disk.repair()
      let problems = Problems()
      let store = try directory.open(problems)
      for writer in writers { #expect(writer.faults(in: store) == []) }
      for problem in problems.all { print("after the repair: \(problem)") }
      try store.set("goes on", for: SettingsKey("after", default: ""))
      try store.synchronizeAndWait()
    }
  }

  /// The error that a body throws.
  private func refusal(_ body: () throws(SettingsError) -> Void) -> String? {
    do {
      try body()
      return nil
    } catch { return "\(error)" }
  }

  /// The error with which a worker answers.
  private func answer(of worker: Worker) throws -> String? {
    guard let line = try worker.readLine() else { throw Worker.Failure.ended }
    if line == "ok" { return nil }
    #expect(line.hasPrefix("error "), "\(line)")
    return line
  }
}
