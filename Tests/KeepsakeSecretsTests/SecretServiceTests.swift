#if Secrets
import Foundation
import KeepsakeTestSupport
import SystemPackage
import Testing

@testable import KeepsakeSecrets

/// Runs against GNOME Keyring on a bus of its own, where both are installed.
@Suite("The Secret Service of a desktop", .serialized) struct SecretServiceTests {
  @Test(
    "keeps secrets of any name and bytes",
    .enabled(if: KeyringSession.isInstalled, "gnome-keyring, dbus and secret-tool are installed"))
  func roundTrip() throws {
    try withTemporaryDirectory { directory in try roundTrip(KeyringSession(in: directory)) }
  }

  private func roundTrip(_ session: KeyringSession) throws {
    let service = SecretService(identifier: "com.example.app", environment: session.environment)
    let other = SecretService(identifier: "com.example.other", environment: session.environment)
    #expect(try service.names() == [])
    #expect(try service.bytes(for: "a") == nil)
    let secrets: [String: [UInt8]] = [
      "a": Array("hunter2\n".utf8), "line\nattribute.name = x": [0, 10, 255], "100 %": [],
    ]
    try service.update { changes in
      for (name, bytes) in secrets { changes.changes[name] = .some(bytes) }
    }
    let names = try service.names()
    #expect(names == secrets.keys.sorted())
    for (name, bytes) in secrets where !bytes.isEmpty {
      #expect(try service.bytes(for: name) == bytes)
    }
    #expect(try other.names() == [])
    try service.update { changes in
      let stored = try changes.stored("a")
      #expect(stored == Array("hunter2\n".utf8))
      changes.changes["a"] = .some(nil)
      changes.changes["100 %"] = .some([1])
    }
    #expect(try service.bytes(for: "a") == nil)
    #expect(try service.bytes(for: "100 %") == [1])
    #expect(try service.names() == ["100 %", "line\nattribute.name = x"])
  }

  @Test("that is not there is an error, not an empty store") func missing() throws {
    let service = SecretService(
      identifier: "com.example.app",
      environment: [
        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus",
      ])
    let attempts: [() throws -> Void] = [
      { _ = try service.names() }, { _ = try service.bytes(for: "a") },
      { try service.update { $0.changes["a"] = .some([1]) } },
    ]
    for attempt in attempts {
      let error = try #require(throws: SecretError.self, performing: attempt)
      #expect(error.code == .unavailable)
    }
  }
}

/// A bus and an unlocked keyring in a directory of their own.
private final class KeyringSession {
  let environment: [String: String]
  private var processes: [Process] = []

  static var isInstalled: Bool {
    ["secret-tool", "gnome-keyring-daemon", "dbus-daemon"].allSatisfy { command in
      (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/\(command)")
      }
    }
  }

  init(in directory: FilePath) throws {
    let bus = "unix:path=\(directory.appending("bus"))"
    environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
      "HOME": directory.string, "XDG_RUNTIME_DIR": directory.string,
      "XDG_DATA_HOME": directory.appending("data").string, "DBUS_SESSION_BUS_ADDRESS": bus,
      "LC_ALL": "C.UTF-8",
    ]
    try start(["dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=\(bus)"])
    try waitFor { FileManager.default.fileExists(atPath: directory.appending("bus").string) }
    try start(
      ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"], input: "words")
    let probe = SecretService(identifier: "probe", environment: environment)
    try waitFor { (try? probe.names()) != nil }
  }

  deinit {
    // They keep nothing that is wanted.
    for process in processes.reversed() { kill(process.processIdentifier, SIGKILL) }
  }

  private func start(_ command: [String], input: String? = nil) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.environment = environment
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardInput = pipe
    try process.run()
    processes.append(process)
    if let input { try pipe.fileHandleForWriting.write(contentsOf: Data(input.utf8)) }
    try pipe.fileHandleForWriting.close()
  }

  private func waitFor(_ condition: () -> Bool) throws {
    for _ in 0..<500 {
      if condition() { return }
      usleep(10_000)
    }
    throw Errno.timedOut
  }
}
#endif
