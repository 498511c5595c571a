#if Secrets
import KeepsakeBase
import SystemPackage

/// The output of a command and its exit status.
struct CommandResult {
  /// The exit code, or 128 plus the signal's number if a signal ended it.
  let status: Int32
  let output: [UInt8]
  let errors: [UInt8]

  /// Runs a command of the search path and waits until it has ended.
  ///
  /// - Parameter input: The bytes of its standard input; few enough to fit into a pipe.
  /// - Throws: `Errno` if it cannot be started; `noChildProcess` if its exit status is unknown.
  init(
    of command: String, _ arguments: [String], input: [UInt8], environment: [String: String]?
  ) throws {
    let inputPipe = try FileDescriptor.pipe()
    let outputPipe = try FileDescriptor.pipe()
    let errorPipe = try FileDescriptor.pipe()
    let ours = [inputPipe.writeEnd, outputPipe.readEnd, errorPipe.readEnd]
    let theirs = [inputPipe.readEnd, outputPipe.writeEnd, errorPipe.writeEnd]
    defer { for end in ours where end != inputPipe.writeEnd { try? end.close() } }
    // A command that inherits our ends would wait for itself.
    for end in ours + theirs { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }

    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    let inherited = _NSGetEnviron().pointee
    #else
    var actions = posix_spawn_file_actions_t()
    let inherited = environ
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, end) in theirs.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, end.rawValue, Int32(number))
    }
    var argv = ([command] + arguments).map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = []
    defer { for text in argv + envp { free(text) } }
    var process: pid_t = 0
    let code: Int32
    if let environment {
      envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
      code = posix_spawnp(&process, command, &actions, nil, &argv, &envp)
    } else {
      code = posix_spawnp(&process, command, &actions, nil, &argv, inherited)
    }
    for end in theirs { try? end.close() }
    if code != 0 {
      try? inputPipe.writeEnd.close()
      throw Errno(rawValue: code)
    }
    Self.write(input, to: inputPipe.writeEnd)
    try? inputPipe.writeEnd.close()
    (output, errors) = try Self.read(outputPipe.readEnd, errorPipe.readEnd)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      // ECHILD: with SIGCHLD ignored, the kernel discards the status.
      if errno != EINTR { throw Errno(rawValue: errno) }
    }
    self.status = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// Writes; a command that has already ended does not end this process with SIGPIPE.
  private static func write(_ input: [UInt8], to pipe: FileDescriptor) {
    #if canImport(Darwin)
    _ = fcntl(pipe.rawValue, F_SETNOSIGPIPE, 1)
    _ = try? pipe.writeAll(input)
    #else
    var mask = sigset_t()
    var old = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &mask, &old)
    let failed = (try? pipe.writeAll(input)) == nil
    if failed {
      // The signal is pending only for this thread; this removes it.
      var none = timespec()
      _ = sigtimedwait(&mask, nil, &none)
    }
    pthread_sigmask(SIG_SETMASK, &old, nil)
    #endif
  }

  /// Reads two pipes to their ends, in the order in which bytes arrive.
  private static func read(
    _ first: FileDescriptor, _ second: FileDescriptor
  ) throws -> ([UInt8], [UInt8]) {
    var bytes: [[UInt8]] = [[], []]
    var pipes = [first, second].map { pollfd(fd: $0.rawValue, events: Int16(POLLIN), revents: 0) }
    while pipes.contains(where: { $0.fd >= 0 }) {
      if poll(&pipes, nfds_t(pipes.count), -1) < 0 { continue }
      for index in pipes.indices where pipes[index].fd >= 0 && pipes[index].revents != 0 {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = try buffer.withUnsafeMutableBytes {
          try FileDescriptor(rawValue: pipes[index].fd).read(into: $0)
        }
        if count == 0 { pipes[index].fd = -1 }
        bytes[index] += buffer[..<count]
      }
    }
    return (bytes[0], bytes[1])
  }
}
#endif
