#if Secrets
import KeepsakeBase
import SystemPackage

/// What a command said and how it ended.
struct CommandResult {
  /// The exit code, or 128 and the signal's number where a signal ended it.
  let status: Int32
  let output: [UInt8]
  let errors: [UInt8]

  /// Runs a command of the search path and waits until it has ended.
  ///
  /// - Parameter input: What it is given to read; few enough bytes to fit into a pipe.
  /// - Throws: `Errno` where it cannot be started.
  init(
    of command: String, _ arguments: [String], input: [UInt8], environment: [String: String]?
  ) throws {
    let given = try FileDescriptor.pipe()
    let said = try FileDescriptor.pipe()
    let complained = try FileDescriptor.pipe()
    let ours = [given.writeEnd, said.readEnd, complained.readEnd]
    let theirs = [given.readEnd, said.writeEnd, complained.writeEnd]
    defer { for end in ours where end != given.writeEnd { try? end.close() } }
    // The command must not hold the ends that are ours: it would wait for itself.
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
      try? given.writeEnd.close()
      throw Errno(rawValue: code)
    }
    Self.write(input, to: given.writeEnd)
    try? given.writeEnd.close()
    (output, errors) = try Self.read(said.readEnd, complained.readEnd)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    self.status = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// Writes without being killed where the command has ended already.
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
      // The signal is pending for this thread alone; it must not stay so.
      var none = timespec()
      _ = sigtimedwait(&mask, nil, &none)
    }
    pthread_sigmask(SIG_SETMASK, &old, nil)
    #endif
  }

  /// Reads both to their ends, whichever has something.
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
