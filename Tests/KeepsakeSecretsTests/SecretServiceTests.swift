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
    let secrets: [SecretName: [UInt8]] = [
      "a": Array("hunter2\n".utf8), "line\nattribute.name = x": [0, 10, 255], "100 %": [],
      "-n": [1], "--label=x": [2], "\u{e9}": [3], "e\u{301}": [4],
      "large": [UInt8](repeating: 7, count: SecretService.maximumSize),
    ]
    try service.update { changes in
      for (name, bytes) in secrets { changes.changes[name] = .some(bytes) }
    }
    let names = try service.names()
    #expect(names == secrets.keys.sorted())
    for (name, bytes) in secrets { #expect(try service.bytes(for: name) == bytes) }
    #expect(try other.names() == [])
    try service.update { changes in
      let stored = try changes.stored("a")
      #expect(stored == Array("hunter2\n".utf8))
      changes.changes["a"] = .some(nil)
      changes.changes["100 %"] = .some([1])
    }
    #expect(try service.bytes(for: "a") == nil)
    #expect(try service.bytes(for: "100 %") == [1])
    #expect(try service.names() == names.filter { $0 != "a" })
  }

  @Test(
    "refuses a secret that secret-tool would truncate, and changes nothing",
    arguments: [SecretService.maximumSize + 1, 9000, 100_000])
  func tooLarge(_ count: Int) throws {
    try withTemporaryDirectory { directory in
      let service = try Self.service(in: directory)
      try service.update { $0.changes["a"] = .some([1]) }
      let error = try #require(throws: SecretError.self) {
        try service.update { changes in
          changes.changes["0"] = .some([1])
          changes.changes["a"] = .some([UInt8](repeating: 7, count: count))
        }
      }
      #expect(error.code == .notWritten)
      #expect(error.name == "a")
      #expect("\(error)".contains("6141"))
      #expect(try service.bytes(for: "a") == [1])
      #expect(try service.bytes(for: "0") == nil)
      let largest = [UInt8](repeating: 7, count: SecretService.maximumSize)
      try service.update { $0.changes["a"] = .some(largest) }
      #expect(try service.bytes(for: "a") == largest)
    }
  }

  @Test("reports a change that secret-tool did not make, although it succeeded") func notMade()
    throws
  {
    try withTemporaryDirectory { directory in
      let service = try Self.service(in: directory)
      try service.update { $0.changes["a"] = .some([1]) }
      try Data().write(to: URL(filePath: directory.appending("ignores").string))
      for bytes: [UInt8]? in [[2], nil] {
        let error = try #require(throws: SecretError.self) {
          try service.update { $0.changes["a"] = .some(bytes) }
        }
        #expect(error.code == .notWritten)
        #expect(error.name == "a")
      }
      #expect(try service.bytes(for: "a") == [1])
    }
  }

  @Test("keeps secrets whose names look like options") func options() throws {
    try withTemporaryDirectory { directory in
      for identifier in ["com.example.app", "--all"] {
        let service = try Self.service(in: directory, identifier: identifier)
        let names: [SecretName] = ["-", "-n", "--", "--label=x", "%2Dn"]
        for (number, name) in names.enumerated() {
          try service.update { $0.changes[name] = .some([UInt8(number)]) }
        }
        for (number, name) in names.enumerated() {
          #expect(try service.bytes(for: name) == [UInt8(number)])
        }
      }
    }
  }

  @Test(
    "fails where the exit status of secret-tool is unknown",
    .enabled(if: SecretsWorker.isAvailable, "needs a second process"))
  func ignoredChildren() throws {
    try withTemporaryDirectory { directory in
      let worker = try SecretsWorker.start(["ignoreChildren", directory.string])
      worker.waitUntilExit()
      #expect(worker.terminationStatus == 0)
    }
  }

  /// A service whose tool reads no more than secret-tool does, and keeps secrets in a directory; if
  /// that contains a file `ignores`, the tool changes nothing.
  static func service(
    in directory: FilePath, identifier: String = "com.example.app"
  ) throws -> SecretService {
    let tool = directory.appending("secret-tool")
    let script = """
      #!/bin/sh
      command=$1; shift
      while case "$1" in --all|--unlock|--label=*) true;; *) false;; esac; do shift; done
      for word in "$@"; do
        case "$word" in -*) echo "Unknown option $word" >&2; exit 2;; esac
      done
      file=\(directory)/item-$(printf %s "$*" | od -An -v -tx1 | tr -d ' \\n')
      case $command in
        store) if [ -e \(directory)/ignores ]; then cat >/dev/null; else head -c 8191 >"$file"; fi;;
        lookup) if [ -e "$file" ]; then cat "$file"; else exit 1; fi;;
        clear) [ -e \(directory)/ignores ] || rm -f "$file";;
      esac

      """
    let text = directory.appending("script")
    try Data(script.utf8).write(to: URL(filePath: text.string))
    // Copied by another process: a file that is open for writing cannot be executed, and a process that another
    // thread starts meanwhile would have it open for a moment, too.
    let copying = try CommandResult(
      of: "install", ["-m", "700", text.string, tool.string], input: [], environment: nil)
    #expect(copying.status == 0)
    return SecretService(identifier: identifier, command: tool.string)
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
    // Nothing that they keep is needed.
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
