#if Configuration
import Foundation
import KeepsakeBase
import KeepsakeConfiguration
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("A configuration behind symbolic links", .timeLimit(.minutes(10))) struct LinkedFileTests {
  /// A directory as Kubernetes mounts a ConfigMap.
  struct Mount {
    let directory: FilePath
    var file: FilePath { directory.appending("config.yaml") }

    init(in root: FilePath) throws {
      directory = root.appending("mount")
      try Mount.create(directory)
      try update(to: 0)
      try link(file, to: "..data/config.yaml")
    }

    /// Replaces the files as the kubelet does.
    func update(to version: Int) throws {
      let new = "..2026_11_24_\(version)"
      try Mount.create(directory.appending(new))
      try Mount.write(
        "Common: {version: \(version)}", to: directory.appending(new).appending("config.yaml"))
      let temporary = directory.appending("..data_tmp")
      try link(temporary, to: new + "/")
      try LocalFileSystem().rename(temporary, to: directory.appending("..data"))
      if version > 0 {
        try FileManager.default.removeItem(
          atPath: directory.appending("..2026_11_24_\(version - 1)").string)
      }
    }

    func link(_ path: FilePath, to destination: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: path.string, withDestinationPath: destination)
    }

    static func create(_ directory: FilePath) throws {
      try LocalFileSystem().createDirectory(directory)
    }

    static func write(_ text: String, to path: FilePath) throws {
      try Data(text.utf8).write(to: URL(filePath: path.string))
    }
  }

  static func version(of file: FilePath) throws -> Int {
    try EnvironmentConfiguration(on: LocalFileSystem(), file: file).value(for: "version")
  }

  @Test("that stay in its directory is read") func reading() throws {
    try withTemporaryDirectory { root in
      let mount = try Mount(in: root)
      #expect(try Self.version(of: mount.file) == 0)
      try mount.update(to: 1)
      #expect(try Self.version(of: mount.file) == 1)
      let absolute = mount.directory.appending("absolute.yaml")
      try mount.link(absolute, to: mount.directory.appending("..data/../config.yaml").string)
      #expect(try Self.version(of: absolute) == 1)
      // Errors contain the name that the program uses.
      let configuration = try EnvironmentConfiguration(on: LocalFileSystem(), file: mount.file)
      let error = try #require(throws: ConfigurationError.self) {
        try configuration.value(for: "version", as: String.self)
      }
      #expect(error.file == mount.file)
      #expect(error.location == "1:19")
    }
  }

  @Test("has each of their updates, for as long as the program runs") func updates() async throws {
    try await withTemporaryDirectory { root in
      let mount = try Mount(in: root)
      let problems = Problems()
      let configuration = try EnvironmentConfiguration(
        on: LocalFileSystem(), file: mount.file, problems: problems)
      var versions = configuration.values(of: "version", default: -1).makeAsyncIterator()
      #expect(try await versions.next() == 0)
      for version in 1...20 {
        try mount.update(to: version)
        while try await versions.next() != version {}
      }
      #expect(problems.all.isEmpty)
    }
  }

  @Test("is read while they are updated, in one version or the next") func concurrentUpdates()
    async throws
  {
    try await withTemporaryDirectory { root in
      let mount = try Mount(in: root)
      let isDone = Mutex(false)
      async let updates: Void = {
        defer { isDone.withLock { $0 = true } }
        for version in 1...300 { try mount.update(to: version) }
      }()
      var last = 0
      while !isDone.withLock({ $0 }) {
        let version = try Self.version(of: mount.file)
        #expect(version >= last)
        last = version
      }
      try await updates
    }
  }

  @Test("is watched in the directory to which a link leads") func inPlace() async throws {
    try await withTemporaryDirectory { root in
      let mount = try Mount(in: root)
      let (inner, file) = (
        mount.directory.appending("inner"), mount.directory.appending("own.yaml")
      )
      try Mount.create(inner)
      try Mount.write("Common: {version: 1}", to: inner.appending("a.yaml"))
      try mount.link(file, to: "inner/a.yaml")
      let configuration = try EnvironmentConfiguration(on: LocalFileSystem(), file: file)
      var versions = configuration.values(of: "version", default: -1).makeAsyncIterator()
      #expect(try await versions.next() == 1)
      try Mount.write("Common: {version: 2}", to: inner.appending("a.yaml"))
      while try await versions.next() != 2 {}
    }
  }

  @Test(
    "that escape its directory, lead nowhere or to each other is refused",
    arguments: [
      ("../outside.yaml", "escapes"), ("..data/../../outside.yaml", "escapes"),
      ("/etc/passwd", "escapes"), ("..outside/outside.yaml", "escapes"),
      ("..data/missing.yaml", "does not exist"), ("linked.yaml", "too many symbolic links"),
    ])
  func refused(destination: String, reason: String) throws {
    try withTemporaryDirectory { root in
      let mount = try Mount(in: root)
      try Mount.write("Common: {version: 7}", to: root.appending("outside.yaml"))
      try mount.link(mount.directory.appending("..outside"), to: "..")
      let file = mount.directory.appending("linked.yaml")
      try mount.link(file, to: destination)
      let error = try #require(throws: ConfigurationError.self) { try Self.version(of: file) }
      #expect(error.code == .unavailable)
      #expect(error.file == file)
      #expect("\(error)".contains(reason), "\(error)")
    }
  }

  @Test("that escape its directory later leaves the values, and is reported") func laterEscape()
    async throws
  {
    try await withTemporaryDirectory { root in
      let mount = try Mount(in: root)
      let problems = Problems()
      let configuration = try EnvironmentConfiguration(
        on: LocalFileSystem(), file: mount.file, problems: problems)
      try Mount.write("Common: {version: 7}", to: root.appending("config.yaml"))
      let temporary = mount.directory.appending("..data_tmp")
      try mount.link(temporary, to: "..")
      try LocalFileSystem().rename(temporary, to: mount.directory.appending("..data"))
      while problems.all.isEmpty { await Task.yield() }
      #expect(problems.all.map(\.code) == [.unavailable])
      #expect(try configuration.value(for: "version") == 0)
      try FileManager.default.removeItem(
        atPath: mount.directory.appending("..2026_11_24_0").string)
      try mount.link(mount.directory.appending("..data_new"), to: "..2026_11_24_1")
      try Mount.create(mount.directory.appending("..2026_11_24_1"))
      try Mount.write(
        "Common: {version: 1}", to: mount.directory.appending("..2026_11_24_1/config.yaml"))
      try LocalFileSystem().rename(
        mount.directory.appending("..data_new"), to: mount.directory.appending("..data"))
      var versions = configuration.values(of: "version", default: -1).makeAsyncIterator()
      while try await versions.next() != 1 {}
    }
  }
}
#endif
