#if Secrets
import Foundation
@testable import KeepsakeSecrets
import KeepsakeTestSupport
import SystemPackage
import Testing

/// Another process of this test program, which runs one function of ``SecretsWorkerTests``.
enum SecretsWorker {
  private static let variable = "KEEPSAKE_SECRETS_WORKER"
  private static let executable = "/proc/self/exe"

  /// The command of this process, if it is a worker.
  static var command: [String]? {
    ProcessInfo.processInfo.environment[variable]?.split(separator: " ").map(String.init)
  }

  /// Whether this system can start another process of this program.
  static var isAvailable: Bool {
    command == nil && FileManager.default.fileExists(atPath: executable)
  }

  /// Starts a worker; it exits with 0 if its expectations are met.
  static func start(_ command: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: executable).resolvingSymlinksInPath()
    process.arguments = [
      "--testing-library", "swift-testing", "--filter", "SecretsWorkerTests/\(command[0])",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(
      [variable: command.joined(separator: " ")]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}

@Suite("In another process", .enabled(if: SecretsWorker.command != nil, "runs in a worker"))
struct SecretsWorkerTests {
  /// Writes a number of secrets, each in a change of its own, after the file `go` was created.
  @Test func write() throws {
    let command = try #require(SecretsWorker.command)
    let directory = FilePath(command[1])
    let store = SecretStore.inDirectory(directory)
    try Data().write(to: URL(filePath: directory.appending("\(command[2]).ready").string))
    while !FileManager.default.fileExists(atPath: directory.appending("go").string) {
      usleep(1000)
    }
    for number in 0..<Int(command[3])! {
      try store.set(number, for: "\(command[2])\(number)")
    }
  }

  /// Stores a secret while SIGCHLD is ignored.
  @Test func ignoreChildren() throws {
    let command = try #require(SecretsWorker.command)
    let service = try SecretServiceTests.service(in: FilePath(command[1]))
    signal(SIGCHLD, SIG_IGN)
    let attempts: [() throws -> Void] = [
      { try service.update { $0.changes["a"] = .some([1]) } },
      { _ = try service.bytes(for: "a") }, { _ = try service.names() },
    ]
    for attempt in attempts {
      let error = try #require(throws: SecretError.self, performing: attempt)
      #expect(error.code == .unavailable)
      #expect("\(error)".contains("SIGCHLD"))
    }
  }
}

extension SecretStore {
  /// A store in a directory of a real disk.
  static func inDirectory(
    _ directory: FilePath, onProblem: (@Sendable (SecretError) -> Void)? = nil
  ) -> SecretStore {
    SecretStore(
      file: directory.appending("secrets.json"), identifier: "com.example.app",
      key: .keyFile(directory.appending("key")), onProblem: onProblem)
  }
}
#endif
