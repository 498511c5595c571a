import KeepsakeBase
import KeepsakeFiles
import KeepsakeSettings
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
extension SettingsWorker {
  /// Adds one to the number in a file, in steps that another process could interleave without the
  /// lock.
  static func coordinate(_ path: FilePath, counting file: FilePath, count: Int) throws {
    let lock = try LocalFileSystem().lock(at: path)
    let number = try FileDescriptor.open(file, .readWrite)
    for _ in 0..<count {
      try lock.acquire(0, timeout: .seconds(60))
      try number.addOne()
      lock.release()
      say("one")
    }
    try number.close()
  }

  /// Acquires a lock, and holds it until a line is read.
  static func lock(_ path: FilePath) throws {
    let lock = try LocalFileSystem().lock(at: path)
    try lock.announceUser()
    try lock.acquire(0, timeout: .seconds(60))
    say("locked")
    _ = readLine()
    lock.release()
    say("unlocked")
    _ = readLine()
  }

  /// Appends records to a journal to which others append, too.
  static func append(_ path: FilePath, number: UInt8, count: Int) throws {
    var journal = try Journal(opening: path, .appendCreating, in: LocalFileSystem())
    for index in 0..<count {
      _ = try journal.append { bytes in
        bytes.append(number)
        bytes.append(UInt8(truncatingIfNeeded: index))
        bytes.append(UInt8(truncatingIfNeeded: index >> 8))
      }
    }
    say("done")
    _ = readLine()
  }

  /// Acquires a lock, forks, and has the child wait for it until the parent releases it.
  static func forkLock(_ path: FilePath) throws {
    let lock = try LocalFileSystem().lock(at: path)
    try lock.acquire()
    let child = forkProcess()
    if child == 0 {
      if (try? lock.acquire(0, timeout: .milliseconds(50))) == nil { say("child waits") }
      if (try? lock.acquire(0, timeout: .seconds(60))) != nil { say("child acquired") }
      _exit(0)
    }
    usleep(300_000)
    lock.release()
    var status: Int32 = 0
    waitpid(child, &status, 0)
    _exit(status)
  }

  /// Acquires a lock, forks, and ends, so that only the child has the open file that holds it.
  static func forkAndEnd(_ path: FilePath) throws {
    let lock = try LocalFileSystem().lock(at: path)
    try lock.acquire()
    let child = forkProcess()
    if child == 0 {
      while true { pause() }
    }
    say("\(child)")
    _exit(0)
  }

  /// Sets values in a store from a process and its forked child at the same time.
  static func forkSet(_ store: SettingsStore) throws {
    try store.set("before", for: SettingsKey("before", default: ""))
    // No other thread uses the store when it forks.
    usleep(200_000)
    let child = forkProcess()
    let name = child == 0 ? "child" : "parent"
    for index in 0..<500 {
      try store.set("\(index)", for: SettingsKey("\(name).\(index)", default: ""))
    }
    if child == 0 { _exit(0) }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    try store.transaction { _ in }
    say("\(store.names.count)")
  }

  /// fork(2), which Swift does not import.
  private static func forkProcess() -> pid_t {
    typealias Fork = @convention(c) () -> pid_t
    return unsafeBitCast(dlsym(dlopen(nil, RTLD_NOW), "fork"), to: Fork.self)()
  }

  /// Writes to a pipe while signals arrive all the time, and reports their number.
  static func writeWithSignals(_ path: FilePath, count: Int) throws {
    var action = sigaction()
    // Without SA_RESTART, the kernel ends the call that a signal interrupts.
    action.__sigaction_handler.sa_handler = { _ in signals.add(1, ordering: .relaxed) }
    sigaction(SIGALRM, &action, nil)
    var alarm = sigset_t()
    sigemptyset(&alarm)
    sigaddset(&alarm, SIGALRM)
    pthread_sigmask(SIG_UNBLOCK, &alarm, nil)
    let often = timeval(tv_sec: 0, tv_usec: 200)
    var timer = itimerval(it_interval: often, it_value: often)
    setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    do {
      // `LocalFileSystem` does not open pipes.
      let pipe = try FileDescriptor.open(path, .writeOnly)
      try LocalFile(descriptor: pipe.rawValue, path: path).writeAll(bytes)
    }
    timer = itimerval()
    setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
    say("\(signals.load(ordering: .relaxed))")
  }

  /// Reports where a bookmarked directory is, or why it cannot be resolved.
  static func resolveBookmark(_ text: String, searching directory: FilePath) {
    do {
      let bookmark = try DirectoryBookmark(data: Data(base64Encoded: text)!)
      say(try bookmark.resolve(searching: [directory]).withAccess { $0.path }.string)
    } catch let error as BookmarkError {
      say("\(error.reason)")
    } catch {
      say("\(error)")
    }
  }

  /// Replaces a file under a limit for file sizes, and reports the result.
  static func replace(_ path: FilePath, within limit: UInt64, count: Int) throws {
    signal(SIGXFSZ, SIG_IGN)
    var size = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
    guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &size) == 0 else {
      throw Errno(rawValue: errno)
    }
    do {
      try LocalFileSystem().replaceFile(at: path, with: [UInt8](repeating: 0x41, count: count))
      say("replaced")
    } catch {
      say("\(error)")
    }
  }
}

private let signals = Atomic<Int>(0)

extension FileDescriptor {
  /// Adds one to the number at the start of the file, by reading it and writing it back.
  func addOne() throws {
    var number: UInt64 = 0
    _ = try withUnsafeMutableBytes(of: &number) { try read(fromAbsoluteOffset: 0, into: $0) }
    number += 1
    sched_yield()
    _ = try withUnsafeBytes(of: number) { try writeAll(toAbsoluteOffset: 0, $0) }
  }
}
