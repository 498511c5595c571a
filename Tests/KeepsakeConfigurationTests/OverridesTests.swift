#if Configuration
import Foundation
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeConfiguration

@Suite("Overrides") struct OverridesTests {
  enum Level: String, Decodable { case info, verbose }

  @Test("of a wrong type are refused before they are stored") func wrongType() throws {
    let disk = try Sample.disk()
    let configuration = try EnvironmentConfiguration(
      on: disk, environment: "Local", overrides: Sample.overrides)
    struct Settings: Decodable {
      let logLevel: Level
      let retries: Int
      let timeout: Double?
    }
    _ = try configuration.decode(Settings.self)
    func refused(_ body: () throws -> Void) -> String {
      let result = Result { try body() }
      guard case .failure(let error as ConfigurationError) = result else { return "not refused" }
      #expect(error.code == .wrongType)
      #expect(error.effect == "the override was not made")
      #expect(configuration.overrides.isEmpty)
      #expect(disk.bytes(at: Sample.overrides) == nil)
      return error.message
    }
    #expect(
      refused { try configuration.setOverride(text: "many", for: "Retries") }
        == "expected Int, got another text")
    #expect(
      refused { try configuration.setOverride("5", for: "Retries") }
        == "expected Int, got a string")
    #expect(
      refused { try configuration.setOverride(text: "vrebose", for: "log_level") }
        == "expected Level, got another text")
    #expect(
      refused { try configuration.setOverride(text: "soon", for: "Timeout") }
        == "expected Double, got another text")
    // It was never requested, so it must have the kind of the value in the file.
    #expect(
      refused { try configuration.setOverride(7, for: "BaseApiUrl") }
        == "expected a string, got a whole number")
    #expect(try configuration.value(for: "Retries") == 3)
  }

  @Test("of a dictionary may be incomplete, but its values must have their types")
  func dictionaries() throws {
    struct Server: Decodable, Equatable {
      let host: String
      let port: Int
    }
    let json = """
      {"Common": {"Server": {"host": "a", "port": 80}, "Limits": {"max": 5}, "Note": "x"}}
      """
    let configuration = try EnvironmentConfiguration(
      on: try Sample.disk(json, at: "/config.json"), file: "/config.json")
    #expect(try configuration.value(for: "Server") == Server(host: "a", port: 80))
    try configuration.setOverride(["Port": 81], for: "Server")
    #expect(try configuration.value(for: "Server") == Server(host: "a", port: 81))
    try configuration.setOverride(text: #"{"port": 82, "host": "b"}"#, for: "Server")
    #expect(try configuration.value(for: "Server") == Server(host: "b", port: 82))
    let bad: [(PropertyList.Value, String)] = [
      (["port": "x"], "Server"), (5, "Server"), (["max": "x"], "Limits"), ("x", "Limits.Max"),
    ]
    for (value, key) in bad {
      let error = try #require(throws: ConfigurationError.self) {
        try configuration.setOverride(value, for: key)
      }
      #expect(error.code == .wrongType)
    }
    #expect(configuration.overrides == ["Server": ["port": 82, "host": "b"]])
    // A value inside it was requested, the dictionary itself was not.
    #expect(try configuration.value(for: "Limits.max", as: UInt8.self) == 5)
    #expect(throws: ConfigurationError.self) {
      try configuration.setOverride(["max": 256], for: "Limits")
    }
    try configuration.setOverride(["max": 255], for: "Limits")
    #expect(try configuration.value(for: "Limits.max", as: UInt8.self) == 255)
  }

  @Test("of an unknown key are refused as text, and accepted as values") func unknown() throws {
    let configuration = try EnvironmentConfiguration(on: try Sample.disk())
    let error = try #require(throws: ConfigurationError.self) {
      try configuration.setOverride(text: "1", for: "Retires")
    }
    #expect(error.code == .unknownKey)
    try configuration.setOverride(1, for: "Retires")
    #expect(try configuration.value(for: "Retires") == 1)
    // A key that was requested is known, even if no layer has it.
    #expect(configuration["Proxy", default: "none"] == "none")
    try configuration.setOverride(text: "local", for: "Proxy")
    #expect(configuration["Proxy", default: "none"] == "local")
  }

  @Test("from a text have the type of the key") func text() throws {
    struct Server: Decodable, Equatable { let port: Int }
    let configuration = try EnvironmentConfiguration(on: try Sample.disk())
    for (text, value) in [("8", 8), ("-1", -1)] {
      _ = try configuration.value(for: "A", as: Int?.self)
      try configuration.setOverride(text: text, for: "A")
      #expect(try configuration.value(for: "A") == value)
    }
    _ = try configuration.value(for: "B", as: [Double]?.self)
    try configuration.setOverride(text: "1,2.5", for: "B")
    #expect(try configuration.value(for: "B") == [1, 2.5])
    _ = try configuration.value(for: "C", as: Bool?.self)
    try configuration.setOverride(text: "no", for: "C")
    #expect(try configuration.value(for: "C") == false)
    _ = try configuration.value(for: "D", as: Date?.self)
    try configuration.setOverride(text: "2018-10-02T14:50:15Z", for: "D")
    #expect(configuration.overrides["D"] == .date(Date(timeIntervalSince1970: 1_538_491_815)))
    _ = try configuration.value(for: "E", as: [Server]?.self)
    try configuration.setOverride(text: "[{\"port\": 80}]", for: "E")
    #expect(try configuration.value(for: "E") == [Server(port: 80)])
    _ = try configuration.value(for: "F", as: URL?.self)
    try configuration.setOverride(text: "https://a.b/?c,d", for: "F")
    #expect(try configuration.value(for: "F") == URL(string: "https://a.b/?c,d"))
    _ = try configuration.value(for: "G", as: Data?.self)
    try configuration.setOverride(text: "AQID", for: "G")
    #expect(try configuration.value(for: "G") == Data([1, 2, 3]))
    _ = try configuration.value(for: "H", as: [String]?.self)
    try configuration.setOverride(text: "1,a", for: "H")
    #expect(try configuration.value(for: "H") == ["1", "a"])
    try configuration.setOverride(text: "4", for: "Retries")
    #expect(configuration.overrides["Retries"] == 4)
  }

  @Test("remain after a restart, in a readable file") func restart() throws {
    let disk = try Sample.disk()
    let first = try EnvironmentConfiguration(on: disk, overrides: Sample.overrides)
    #expect(disk.bytes(at: Sample.overrides) == nil)
    try first.setOverride("error", for: "LogLevel")
    try first.setOverride(["Host": "a"], for: "Server")
    try first.setOverride("debug", for: "log_level")
    let restarted = disk.restarted()
    let second = try EnvironmentConfiguration(on: restarted, overrides: Sample.overrides)
    #expect(try second.value(for: "LogLevel") == "debug")
    #expect(try second.value(for: "server.host") == "a")
    #expect(
      restarted.bytes(at: Sample.overrides)
        == PropertyList.Value.dictionary(["Server": ["Host": "a"], "log_level": "debug"])
        .serializedXML())
    try second.removeOverride(for: "LogLevel")
    #expect(try second.value(for: "LogLevel") == "info")
    let third = try EnvironmentConfiguration(on: restarted, overrides: Sample.overrides)
    #expect(try third.value(for: "LogLevel") == "info")
  }

  @Test(
    "are read from a property list in any format, and written as XML",
    arguments: [
      PropertyList.Value.dictionary(["LogLevel": "error", "Retries": 5]).serializedBinary(),
      // All of its scalars are strings.
      Array("{ LogLevel = error; Retries = 5; }".utf8),
    ])
  func formats(bytes: [UInt8]) throws {
    let disk = try Sample.disk()
    try disk.write(bytes, to: Sample.overrides)
    let configuration = try EnvironmentConfiguration(on: disk, overrides: Sample.overrides)
    for step in 0...1 {
      #expect(try configuration.value(for: "LogLevel") == "error")
      if bytes.starts(with: "bplist".utf8) {
        #expect(try configuration.value(for: "Retries") == 5)
      } else {
        #expect(try configuration.value(for: "Retries") == "5")
      }
      if step == 0 { try configuration.setOverride(1, for: "Other") }
    }
    let text = String(decoding: disk.bytes(at: Sample.overrides) ?? [], as: UTF8.self)
    #expect(text.hasPrefix("<?xml"))
  }

  @Test("are the new or the old ones after a power cut") func cut()
    async throws
  {
    let values = (0...3).map { PropertyList.Value.integer($0) }
    let cuts = CutExplorer(model: .posix)
    let report = try await cuts.run { disk in
      try disk.write(Sample.plist.utf8, to: Sample.path)
      let configuration = try EnvironmentConfiguration(on: disk, overrides: Sample.overrides)
      for value in values {
        try configuration.setOverride(value, for: "Retries")
        disk.mark("\(value)")
      }
    } check: { disk, point in
      guard disk.bytes(at: Sample.path) != nil else { return }
      let problems = Problems()
      let configuration = try EnvironmentConfiguration(
        on: disk, overrides: Sample.overrides, problems: problems)
      #expect(problems.all.isEmpty)
      let kept = configuration.overrides["Retries"]
      let known = point.marks.count - 1
      let allowed = [known, known + 1].map { values.indices.contains($0) ? values[$0] : nil }
      #expect(allowed.contains(kept))
    }
    #expect(report.states > 0)
  }

  @Test("are read when their file is edited or removed") func edited() throws {
    let disk = try Sample.disk()
    let problems = Problems()
    let configuration = try EnvironmentConfiguration(
      on: disk, overrides: Sample.overrides, problems: problems)
    try configuration.setOverride("error", for: "LogLevel")
    try disk.write(
      PropertyList.Value.dictionary(["LogLevel": "debug"]).serializedXML(), to: Sample.overrides)
    #expect(try configuration.value(for: "LogLevel") == "debug")
    try disk.write("<plist><dict><key>".utf8, to: Sample.overrides)
    #expect(try configuration.value(for: "LogLevel") == "debug")
    #expect(problems.all.map(\.code) == [.unreadable])
    // The new one is added to those that could be recovered.
    try configuration.setOverride(1, for: "A")
    #expect(configuration.overrides == ["A": 1])
    #expect(problems.all.map(\.code) == [.unreadable, .damaged])
    try disk.remove(Sample.overrides)
    disk.notifyWatchers()
    #expect(try configuration.value(for: "LogLevel") == "info")
  }

  @Test("of several processes are all kept, and read by each of them") func processes() throws {
    let disk = try Sample.disk()
    let first = try EnvironmentConfiguration(on: disk, overrides: Sample.overrides)
    let second = try EnvironmentConfiguration(on: disk, overrides: Sample.overrides)
    try first.setOverride(1, for: "A")
    try second.setOverride(2, for: "B")
    // The first was not notified yet, but loses nothing.
    try first.setOverride(3, for: "C")
    disk.notifyWatchers()
    for configuration in [first, second] {
      #expect(configuration.overrides == ["A": 1, "B": 2, "C": 3])
    }
  }

  @Test("in directories that another process creates are read", .timeLimit(.minutes(10)))
  func laterDirectory() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.appending("config.plist")
      try Data(Sample.plist.utf8).write(to: URL(filePath: path.string))
      let overrides = directory.appending("later/and/later/overrides.plist")
      let (first, second) = (
        try EnvironmentConfiguration(on: LocalFileSystem(), file: path, overrides: overrides),
        try EnvironmentConfiguration(on: LocalFileSystem(), file: path, overrides: overrides)
      )
      var levels = first.values(of: "LogLevel", default: "none").makeAsyncIterator()
      #expect(try await levels.next() == "info")
      try second.setOverride("error", for: "LogLevel")
      #expect(try await levels.next() == "error")
      try second.removeOverride(for: "LogLevel")
      #expect(try await levels.next() == "info")
    }
  }

  @Test("P3: in a damaged file are quarantined and reported, and the intact ones remain")
  func damaged()
    throws
  {
    let disk = try Sample.disk()
    let whole = try EnvironmentConfiguration(on: disk, overrides: Sample.overrides)
    for (key, value) in [("A", 1), ("B", 2), ("C", 3)] {
      try whole.setOverride(.integer(Int64(value)), for: key)
    }
    let bytes = disk.bytes(at: Sample.overrides)!
    let text = String(decoding: bytes, as: UTF8.self)
    let damaged = text.split(separator: "<integer>2</integer>").joined(separator: "<integer>x2")
    try disk.write(damaged.utf8, to: Sample.overrides)
    // A running program keeps its values, and does not change the file.
    #expect(whole.overrides == ["A": 1, "B": 2, "C": 3])
    #expect(disk.bytes(at: Sample.overrides) == Array(damaged.utf8))

    let problems = Problems()
    let next = try EnvironmentConfiguration(
      on: disk, overrides: Sample.overrides, problems: problems)
    #expect(next.overrides == ["A": 1, "C": 3])
    #expect(problems.all.map(\.code) == [.damaged])
    #expect(problems.all[0].line == 9)
    #expect(disk.bytes(at: "/var/app/overrides.plist.unreadable-1") == Array(damaged.utf8))
    let again = try EnvironmentConfiguration(
      on: disk, overrides: Sample.overrides, problems: problems)
    #expect(again.overrides == ["A": 1, "C": 3])
    #expect(problems.all.count == 1)
  }

  @Test("P4: that cannot be read are an error, not none") func unavailable() throws {
    let disk = try Sample.disk()
    try EnvironmentConfiguration(on: disk, overrides: Sample.overrides).setOverride(1, for: "A")
    let kept = disk.bytes(at: Sample.overrides)
    let calls = disk.calls.count
    _ = try EnvironmentConfiguration(on: disk, overrides: Sample.overrides)
    var refused = 0
    for call in calls + 1...disk.calls.count {
      let other = disk.restarted()
      other.fail(call: call - calls, with: .ioError)
      do throws(ConfigurationError) {
        let configuration = try EnvironmentConfiguration(on: other, overrides: Sample.overrides)
        #expect(configuration.overrides == ["A": 1])
      } catch {
        refused += 1
        #expect(error.code == .unavailable)
      }
      #expect(other.bytes(at: Sample.overrides) == kept)
    }
    #expect(refused >= 4)
  }

  @Test("are the same in memory and in the file, whichever call to the disk fails")
  func everyCall() throws {
    let start = try Sample.disk()
    try EnvironmentConfiguration(on: start, overrides: Sample.overrides).setOverride(1, for: "A")
    func attempt(failing call: Int?) throws -> (calls: Int, error: ConfigurationError?) {
      let disk = start.restarted()
      let configuration = try EnvironmentConfiguration(on: disk, overrides: Sample.overrides)
      let before = disk.calls.count
      if let call { disk.fail(call: before + call, with: .ioError) }
      let result = Result { () throws(ConfigurationError) in
        try configuration.setOverride(2, for: "A")
      }
      let calls = disk.calls.count - before
      disk.stopFailing()
      let kept = try EnvironmentConfiguration(on: disk, overrides: Sample.overrides).overrides
      #expect(configuration.overrides == kept)
      guard case .failure(let error) = result else {
        #expect(kept == ["A": 2])
        return (calls, nil)
      }
      let isThere = (error.cause as? FileError)?.effect.contains("was written") == true
      #expect(kept == ["A": isThere ? 2 : 1])
      return (calls, error)
    }
    let calls = try attempt(failing: nil).calls
    let errors = try (1...calls).compactMap { try attempt(failing: $0).error }
    #expect(errors.count >= 6)
    #expect(errors.contains { ($0.cause as? FileError)?.effect.contains("was written") == true })
  }

  @Test("that cannot be written are not made") func unwritten() throws {
    let disk = try Sample.disk()
    let configuration = try EnvironmentConfiguration(on: disk, overrides: Sample.overrides)
    try configuration.setOverride(1, for: "A")
    for operation in [FileError.Operation.write, .rename, .lock, .open] {
      disk.failAlways(operation)
      let error = try #require(throws: ConfigurationError.self) {
        try configuration.setOverride(2, for: "A")
      }
      #expect([.notWritten, .unavailable].contains(error.code))
      disk.stopFailing()
      #expect(configuration.overrides == ["A": 1])
      #expect(
        try EnvironmentConfiguration(on: disk, overrides: Sample.overrides).overrides == ["A": 1])
    }
    // It is already inside another override.
    try configuration.setOverride(["Port": 1], for: "Server")
    #expect(throws: ConfigurationError.self) {
      try configuration.setOverride(2, for: "Server.Port")
    }
    #expect(configuration.overrides["Server.Port"] == nil)
    #expect(try configuration.value(for: "Server.Port") == 1)
  }
}
#endif
