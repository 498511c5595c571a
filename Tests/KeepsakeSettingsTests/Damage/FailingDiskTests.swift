import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite(
  "Failing disks",
  .enabled(
    if: TemporaryDisk.Format.current != .tmpfs, "Scripts/check-disks has disks that fail"),
  .serialized)
struct FailingDiskTests {
  /// What one of several writers wrote, and which of its calls succeeded.
  private struct Writer {
    let name: String
    /// The least number that each key must have, because it was synchronized.
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

    /// Records the result of setting the number.
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

    /// The errors in the values that a disk has after it failed.
    func errors(in store: SettingsStore) -> [String] {
      var errors: [String] = []
      for index in 0..<writtenKeyCount {
        let key = writtenKey(name, index)
        let value = store[SettingsKey<String?>(key)]
        let found = value.flatMap { Int($0.prefix { $0 != ":" }) } ?? 0
        if let value, value != Self.text(found) || writtenKey(name, found) != key {
          errors.append("\(key) has a value that no process wrote: \(value)")
        } else if found < synchronized[key] ?? 0 {
          errors.append("\(key) has \(found), where \(synchronized[key]!) was synchronized")
        } else if refused.contains(found) {
          errors.append("\(key) has \(found), which was refused")
        }
      }
      return errors
    }
  }

  @Test(
    "P2: A failing disk keeps what was synchronized, and each call returns or throws",
    .timeLimit(.minutes(10)),
    arguments: [1 << 18, 1 << 20, 1 << 22])
  func failingDisk(room: Int) throws {
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
            try worker.send("set \(writer.key) \(writer.text)")
            if synchronizing { try worker.send("synchronize") }
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
          // ext4 reports the failure of its own journal to one process, and success to the others.
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
        // Now all other calls fail, too.
        disk.synchronize()
        for number in 1...100 { try write(synchronizing: number % 5 == 0) }
        _ = refusal { () throws(SettingsError) in try store.save() }
        // A new process reads the settings, or receives the reason why it cannot.
        _ = refusal { () throws(SettingsError) in _ = try directory.open(Problems()).names }
        for worker in workers { #expect(try worker.end() == 0) }
        print("room for \(room) bytes: \(writers.map(\.summary).joined(separator: "; "))")
      }
      try disk.repair()
      let problems = Problems()
      let store = try directory.open(problems)
      for writer in writers { #expect(writer.errors(in: store) == []) }
      for problem in problems.all { print("after the repair: \(problem)") }
      try store.set("written", for: SettingsKey("after", default: ""))
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
