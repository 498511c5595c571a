#if Configuration
import Foundation
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeConfiguration

@Suite("A configuration that is edited", .timeLimit(.minutes(10))) struct LiveTests {
  static func edited(_ level: String) -> String {
    Sample.plist.split(separator: "verbose").joined(separator: level)
  }

  @Test("while the program runs has new values, in place or by a rename") func onDisk() async throws
  {
    try await withTemporaryDirectory { directory in
      let path = directory.appending("config.plist")
      let url = URL(filePath: path.string)
      try Data(Sample.plist.utf8).write(to: url)
      let configuration = try EnvironmentConfiguration(
        on: LocalFileSystem(), file: path, environment: "Local")
      var levels = configuration.values(of: "LogLevel", default: "none").makeAsyncIterator()
      #expect(try await levels.next() == "verbose")
      // In place.
      try Data(Self.edited("warning").utf8).write(to: url)
      #expect(try await levels.next() == "warning")
      // As editors do, with another file that is renamed.
      try Data(Self.edited("error").utf8).write(to: url, options: .atomic)
      #expect(try await levels.next() == "error")
      #expect(try configuration.value(for: "LogLevel") == "error")
    }
  }

  @Test(
    "and cannot be read keeps its previous values, and is reported with line and column")
  func unreadable() throws {
    let disk = try Sample.disk()
    let problems = Problems()
    let configuration = try EnvironmentConfiguration(
      on: disk, environment: "Local", problems: problems)
    try disk.write(Self.edited("</oops>").utf8, to: Sample.path)
    #expect(try configuration.value(for: "LogLevel") == "verbose")
    #expect(problems.all.map(\.code) == [.unreadable])
    #expect(problems.all[0].line == 18)
    #expect(problems.all[0].effect == "the previous values remain in effect")
    // Once for each state of the file.
    try disk.write([], to: "/etc/app/other")
    #expect(problems.all.count == 1)

    try disk.write(Self.edited("error").utf8, to: Sample.path)
    #expect(try configuration.value(for: "LogLevel") == "error")
    try disk.remove(Sample.path)
    disk.notifyWatchers()
    #expect(try configuration.value(for: "LogLevel") == "error")
    #expect(problems.all.map(\.code) == [.unreadable, .unavailable])
    // The section of the environment no longer exists.
    try disk.write("<plist><dict><key>Common</key><dict/></dict></plist>".utf8, to: Sample.path)
    #expect(try configuration.value(for: "LogLevel") == "error")
    #expect(problems.all.map(\.code) == [.unreadable, .unavailable, .unknownEnvironment])
    try disk.write(Sample.plist.utf8, to: Sample.path)
    #expect(try configuration.value(for: "LogLevel") == "verbose")
    #expect(problems.all.count == 3)
  }

  @Test("after it was read, but before it is watched, has new values") func early() throws {
    let disk = try Sample.disk()
    let slow = SlowDisk(disk) {
      try? disk.write(Self.edited("error").utf8, to: Sample.path)
    }
    let configuration = try EnvironmentConfiguration(on: slow, environment: "Local")
    #expect(try configuration.value(for: "LogLevel") == "error")
  }

  @Test("but cannot be watched is reported, and has its values") func noWatch() throws {
    let disk = try Sample.disk()
    disk.failAlways(.watch)
    let problems = Problems()
    let configuration = try EnvironmentConfiguration(on: disk, problems: problems)
    #expect(try configuration.value(for: "LogLevel") == "info")
    #expect(problems.all.map(\.code) == [.unavailable])
  }

  @Test("reports problems in order, one at a time, to a handler that may use it")
  func handler() throws {
    final class Handler: Sendable {
      let configuration = Mutex<EnvironmentConfiguration?>(nil)
      let seen = Mutex<[String?]>([])
      let isCalled = Mutex(false)
    }
    let disk = try Sample.disk()
    let handler = Handler()
    let configuration = try EnvironmentConfiguration(
      file: Sample.path, overrides: Sample.overrides, arguments: [], variables: [:],
      fileSystem: disk
    ) { problem in
      #expect(handler.isCalled.withLock { $0 } == false)
      handler.isCalled.withLock { $0 = true }
      if let configuration = handler.configuration.withLock({ $0 }) {
        let number = handler.seen.withLock { $0.count }
        #expect(throws: Never.self) {
          try configuration.setOverride(.integer(Int64(number)), for: "Seen")
        }
      }
      handler.seen.withLock { $0.append(problem.key ?? problem.code.description) }
      handler.isCalled.withLock { $0 = false }
    }
    handler.configuration.withLock { $0 = configuration }
    _ = configuration["LogLevel", default: 5]
    try disk.write("<plist><oops/>".utf8, to: Sample.path)
    try disk.remove(Sample.path)
    disk.notifyWatchers()
    ProblemReports.wait()
    #expect(handler.seen.withLock { $0 } == ["LogLevel", "unreadable", "unavailable"])
    #expect(configuration.overrides == ["Seen": 2])
  }

  @Test("P6: resumes only loops whose values changed") func ownKeys() async throws {
    let disk = try Sample.disk()
    let configuration = try EnvironmentConfiguration(on: disk, environment: "Local")
    struct Settings: Decodable, Equatable {
      let logLevel: String
      let retries: Int
    }
    var levels = configuration.values(of: "LogLevel", as: String.self).makeAsyncIterator()
    var settings = configuration.values(decoding: Settings.self).makeAsyncIterator()
    #expect(try await levels.next() == "verbose")
    #expect(try await settings.next() == Settings(logLevel: "verbose", retries: 3))
    try configuration.setOverride("x", for: "Other")
    try configuration.setOverride(4, for: "Retries")
    #expect(try await settings.next() == Settings(logLevel: "verbose", retries: 4))
    try configuration.setOverride("error", for: "LogLevel")
    // It does not receive the changes in between.
    #expect(try await levels.next() == "error")
    #expect(try await settings.next() == Settings(logLevel: "error", retries: 4))
    try configuration.removeOverride(for: "LogLevel")
    #expect(try await levels.next() == "verbose")
  }

  @Test("P6: returns no value twice when other values change") func noneTwice() async throws {
    let configuration = try EnvironmentConfiguration(dictionary: ["A": 0, "B": 0])
    let seen = Mutex<[Int]>([])
    let watcher = Task {
      for await value in configuration.values(of: "A", default: -1) {
        seen.withLock { $0.append(value) }
        if value == 1 { break }
      }
    }
    var others = configuration.values(of: "B", default: -1).makeAsyncIterator()
    #expect(try await others.next() == 0)
    for number in 1...100 {
      try configuration.setOverride(.integer(Int64(number)), for: "B")
      #expect(try await others.next() == number)
      await Task.yield()
    }
    while seen.withLock({ $0.isEmpty }) { await Task.yield() }
    try configuration.setOverride(1, for: "A")
    await watcher.value
    #expect(seen.withLock { $0 } == [0, 1])
  }

  @Test("to a value of a wrong type is reported, and the last valid value remains") func wrongType()
    async throws
  {
    let disk = try Sample.disk()
    let problems = Problems()
    let configuration = try EnvironmentConfiguration(on: disk, problems: problems)
    var retries = configuration.values(of: "Retries", default: 1).makeAsyncIterator()
    #expect(try await retries.next() == 3)
    func write(_ value: String) throws {
      let text = Sample.plist.split(separator: "<integer>3</integer>").joined(separator: value)
      try disk.write(text.utf8, to: Sample.path)
    }
    try write("<string>many</string>")
    async let next = retries.next()
    while problems.all.isEmpty { await Task.yield() }
    #expect(problems.all[0].code == .wrongType)
    #expect(problems.all[0].location == "11:13")
    try write("<integer>5</integer>")
    #expect(try await next == 5)
  }

  @Test("has `nil` if no layer has a value, until the task is canceled") func ends()
    async throws
  {
    let configuration = try EnvironmentConfiguration(dictionary: [:])
    let values = Mutex<[Int?]>([])
    let task = Task {
      for await value in configuration.values(of: "A", as: Int.self) {
        values.withLock { $0.append(value) }
      }
    }
    while values.withLock({ $0.isEmpty }) { await Task.yield() }
    try configuration.setOverride(1, for: "A")
    while values.withLock({ $0.count < 2 }) { await Task.yield() }
    task.cancel()
    await task.value
    #expect(values.withLock { $0 } == [nil, 1])
  }
}

/// A disk that another program changes just before it is watched.
private struct SlowDisk: ForwardingFileSystem {
  let base: SimulatedDisk
  let beforeWatch: @Sendable () -> Void

  init(_ base: SimulatedDisk, beforeWatch: @escaping @Sendable () -> Void) {
    self.base = base
    self.beforeWatch = beforeWatch
  }

  func watch(
    directory: FilePath, _ handler: @escaping @Sendable (DirectoryChanges) -> Void
  ) throws(FileError) -> any FileWatch {
    beforeWatch()
    return try base.watch(directory: directory, handler)
  }
}
#endif
