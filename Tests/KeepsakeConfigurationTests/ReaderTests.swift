#if Configuration
import Configuration
import Foundation
import KeepsakeBase
import KeepsakeCoding
import KeepsakeConfiguration
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("The reader of swift-configuration", .timeLimit(.minutes(10))) struct ReaderTests {
  @Test("has the values of all layers, with every type") func types() throws {
    let configuration = try EnvironmentConfiguration(
      on: try Sample.disk(FormatTests.yaml, at: "/config.yaml"), file: "/config.yaml",
      arguments: ["--is-on", "no", "--names", "a,b"], variables: ["LIMITS_MAX_SIZE": "20"])
    let reader = configuration.reader
    #expect(reader.double(forKey: "ratio") == 2.5)
    #expect(reader.bool(forKey: "isOn") == false)
    #expect(reader.string(forKey: "since") == "2018-10-02T14:50:15Z")
    #expect(reader.bytes(forKey: "blob") == [1, 2, 3])
    #expect(reader.stringArray(forKey: "names") == ["a", "b"])
    #expect(reader.int(forKey: "limits.maxSize") == 20)
    #expect(reader.scoped(to: "limits").int(forKey: "min_size") == 1)
    #expect(reader.int(forKey: "proxy", default: 5) == 5)
    #expect(throws: (any Error).self) { try reader.requiredInt(forKey: "ratio") }
    #expect(throws: (any Error).self) { try reader.requiredInt(forKey: "proxy") }
    let snapshot = reader.snapshot()
    try configuration.setOverride(9.5, for: "ratio")
    #expect(snapshot.double(forKey: "ratio") == 2.5)
    #expect(reader.double(forKey: "ratio") == 9.5)
  }

  @Test("sees an edit of several sections as one change") func wholeEdits() async throws {
    func text(_ number: Int) -> String {
      #"{"Common": {"a": \#(number)}, "Local": {"b": \#(number)}}"#
    }
    let disk = try Sample.disk(text(0), at: "/config.json")
    let configuration = try EnvironmentConfiguration(
      on: disk, file: "/config.json", environment: "Local")
    let last = 500
    try await configuration.reader.watchSnapshot { snapshots in
      let writer = Task {
        for number in 1...last {
          try disk.write(text(number).utf8, to: "/config.json")
          await Task.yield()
        }
      }
      for await snapshot in snapshots {
        let (a, b) = (snapshot.int(forKey: "a"), snapshot.int(forKey: "b"))
        #expect(a == b)
        if a == last { break }
      }
      try await writer.value
    }
  }

  static let rounds = 3_000

  @Test("P6: has watchers that receive the latest value, 3,000 times") func watchers()
    async throws
  {
    try await Self.race { configuration, saw in
      try? await configuration.reader.watchInt(forKey: "Level", default: -1) { values in
        for await value in values { saw(value) }
      }
    }
  }

  @Test("P6: as the values of a configuration do") func values() async throws {
    try await Self.race { configuration, saw in
      for await value in configuration.values(of: "Level", default: -1) { saw(value) }
    }
  }

  /// Lets setters race in each round, and waits until a watcher of that round has received the value of
  /// the last one; otherwise the suite's time limit expires.
  private static func race(
    _ watch:
      @escaping @Sendable (EnvironmentConfiguration, @escaping @Sendable (Int) -> Void) async
      -> Void
  ) async throws {
    let configuration = try EnvironmentConfiguration(dictionary: [:])
    var wrong = 0
    for round in 0..<rounds {
      let seen = Seen()
      let watcher = Task { await watch(configuration) { seen.set($0) } }
      try await withThrowingTaskGroup { group in
        for setter in 0..<4 {
          group.addTask {
            for step in 0..<3 {
              try configuration.setOverride(
                .integer(Int64(round * 100 + setter * 10 + step)), for: "Level")
            }
          }
        }
        try await group.waitForAll()
      }
      let latest = try configuration.value(for: "Level", as: Int.self)
      while seen.last != latest { await Task.yield() }
      watcher.cancel()
      await watcher.value
      if seen.last != latest { wrong += 1 }
    }
    #expect(wrong == 0)
  }
}

/// The last value that a watcher received.
private final class Seen: Sendable {
  private let value = Mutex<Int?>(nil)
  var last: Int? { value.withLock { $0 } }
  func set(_ new: Int) { value.withLock { $0 = new } }
}
#endif
