package import KeepsakeBase
package import SystemPackage

/// A separate process that runs a command with the library.
package final class Worker {
  /// The program that the process runs; it is built beside the tests.
  package enum Program: String {
    /// `Tests/SettingsWorker`.
    case settings = "keepsake-settings-worker"
    /// `Tests/DocumentsWorker`.
    case documents = "keepsake-documents-worker"
    /// `Tests/OlderApp`.
    case olderApp = "keepsake-older-app"
    /// `Tests/NewerApp`.
    case newerApp = "keepsake-newer-app"
    /// `Scripts/cluster`, which is not built.
    case cluster

    var executable: String {
      if self == .cluster {
        return FilePath(#filePath).removingLastComponent().appending("../../Scripts/cluster").string
      }
      return FilePath(CommandLine.arguments[0]).removingLastComponent().appending(rawValue).string
    }
  }

  /// Why a worker cannot be used.
  package enum Failure: Error {
    /// It cannot be started.
    case start(Errno)
    /// It wrote no line for a minute.
    case silent
    /// It ended where a line was expected.
    case ended
  }

  /// The process's identifier.
  package let process: pid_t
  /// The problems that the process's stores reported.
  package private(set) var problems: [String] = []

  private let input: FileDescriptor
  private let output: FileDescriptor
  private var unread: [UInt8] = []
  private var isReaped = false

  /// Starts a worker with a command and its arguments.
  ///
  /// - Parameter launcher: A command, with its arguments, that executes the worker; none by
  ///   default.
  package init(
    _ arguments: [String], of program: Program = .settings, launchedBy launcher: [String] = []
  ) throws {
    // A write to a worker that was killed is an error and does not end this process.
    signal(SIGPIPE, SIG_IGN)
    (process, input, output) = try Self.starting.withLock { _ in
      let (theirInput, input) = try Self.makePipe()
      let (output, theirOutput) = try Self.makePipe()
      defer {
        try? theirInput.close()
        try? theirOutput.close()
      }
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_adddup2(&actions, theirInput.rawValue, 0)
      posix_spawn_file_actions_adddup2(&actions, theirOutput.rawValue, 1)
      let command = launcher + [program.executable] + arguments
      var argv = command.map { strdup($0) } + [nil]
      defer { for argument in argv { free(argument) } }
      var process: pid_t = 0
      let code = posix_spawnp(&process, command[0], &actions, nil, &argv, environ)
      if code != 0 { throw Failure.start(Errno(rawValue: code)) }
      return (process, input, output)
    }
  }

  deinit {
    kill()
    try? input.close()
    try? output.close()
  }

  /// Kills the process at any point, and waits until it has ended.
  package func kill() {
    if isReaped { return }
    _ = sendSignal(process, SIGKILL)
    wait()
  }

  /// Waits until the process ends.
  ///
  /// - Returns: Its exit code, or -1 if a signal ended it.
  @discardableResult
  package func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    isReaped = true
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
  }

  // MARK: Lines

  /// Sends a line.
  package func send(_ line: String) throws {
    try input.writeAll("\(line)\n".utf8)
  }

  /// Sends a line and waits for the answer.
  package func ask(_ line: String) throws -> String {
    try send(line)
    guard let answer = try readLine() else { throw Failure.ended }
    return answer
  }

  /// Sends the command that ends the process, and waits until it has ended.
  @discardableResult
  package func end() throws -> Int32 {
    try send("end")
    while try readLine() != nil {}
    return wait()
  }

  /// Waits for the next line; `nil` once the process has ended.
  package func readLine() throws -> String? {
    while true {
      if let line = nextLine() { return line }
      guard try wait(milliseconds: 300_000) else { throw Failure.silent }
      if try !readMore() { return nil }
    }
  }

  /// The lines available now, without waiting.
  package func readLines() throws -> [String] {
    while try wait(milliseconds: 0), try readMore() {}
    var lines: [String] = []
    while let line = nextLine() { lines.append(line) }
    return lines
  }

  private func nextLine() -> String? {
    while let end = unread.firstIndex(of: 0x0A) {
      let line = String(decoding: unread[..<end], as: UTF8.self)
      unread.removeSubrange(...end)
      if !line.hasPrefix("!") { return line }
      problems.append(String(line.dropFirst(2)))
    }
    return nil
  }

  private func wait(milliseconds: Int32) throws -> Bool {
    try waitForBytes(in: output, milliseconds: milliseconds)
  }

  private func readMore() throws -> Bool {
    let size = 65536
    let bytes = try [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = try output.read(into: UnsafeMutableRawBufferPointer(buffer))
    }
    unread += bytes
    return !bytes.isEmpty
  }

  // MARK: Pipes

  /// Held while a process starts, so that no other process inherits its pipes.
  private static let starting = Mutex(())

  private static func makePipe() throws -> (FileDescriptor, FileDescriptor) {
    let ends = try FileDescriptor.pipe()
    for end in [ends.readEnd, ends.writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
    return ends
  }
}

/// Waits until a pipe has bytes to read, or its last writer has closed it.
///
/// - Returns: Whether that happened in time.
package func waitForBytes(in pipe: FileDescriptor, milliseconds: Int32 = 300_000) throws -> Bool {
  var request = pollfd(fd: pipe.rawValue, events: Int16(POLLIN), revents: 0)
  while true {
    let count = poll(&request, 1, milliseconds)
    if count >= 0 { return count > 0 }
    if errno != EINTR { throw Errno(rawValue: errno) }
  }
}

// kill(2), which the method of the same name hides.
private func sendSignal(_ process: pid_t, _ signal: Int32) -> Int32 { kill(process, signal) }
