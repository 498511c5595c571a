import Dispatch
import KeepsakeBase
import KeepsakeTestSupport
import SystemPackage
import Testing

@testable import KeepsakeFiles

@Suite("File locks")
struct FileLockTests {
  private let files = LocalFileSystem()

  /// Makes a file that contains the number 0.
  private func makeCounter(in directory: FilePath) throws -> FilePath {
    let path = directory.appending("counter")
    try files.replaceFile(at: path, with: [UInt8](repeating: 0, count: 8))
    return path
  }

  private func number(in path: FilePath) throws -> UInt64 {
    try files.readFile(at: path)!.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
  }

  @Test("P5: Two of four processes never hold the lock at the same time")
  func processes() throws {
    try withTemporaryDirectory { directory in
      let counter = try makeCounter(in: directory)
      let lock = directory.appending("lock")
      let workers = try (0..<4).map { _ in
        try Worker(["coordinate", lock.string, counter.string, "1000"])
      }
      for worker in workers {
        while try worker.readLine() != nil {}
        #expect(worker.wait() == 0)
      }
      #expect(try number(in: counter) == 4_000)
    }
  }

  @Test("P5: The lock is not acquired if the disk cannot report which file has its name")
  func unknownIdentity() throws {
    try withTemporaryDirectory { root in
      let directory = root.appending("directory")
      let away = root.appending("away")
      try files.createDirectory(directory)
      let lock = try files.lock(at: directory.appending("lock"))
      try files.rename(directory, to: away)
      // A symbolic link to itself has no files.
      symlink(directory.string, directory.string)
      #expect(throws: FileError.self) { try lock.acquire(0, timeout: .seconds(1)) }
      unlink(directory.string)
      try files.rename(away, to: directory)
      let other = try files.lock(at: directory.appending("lock"))
      try other.acquire(0, timeout: .zero)
      other.release()
      try lock.acquire(0, timeout: .zero)
      lock.release()
    }
  }

  @Test("P5: Two of eight threads with separate locks never hold it at the same time")
  func threads() throws {
    try withTemporaryDirectory { directory in
      let locks = try (0..<8).map { _ in try files.lock(at: directory.appending("lock")) }
      let holders = Atomic<Int>(0)
      let failures = Atomic<Int>(0)
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        for _ in 0..<200 {
          guard (try? locks[thread].acquire(0, timeout: .seconds(60))) != nil else {
            failures.add(1, ordering: .relaxed)
            continue
          }
          if holders.add(1, ordering: .relaxed).newValue != 1 {
            failures.add(1, ordering: .relaxed)
          }
          holders.subtract(1, ordering: .relaxed)
          locks[thread].release()
        }
      }
      #expect(failures.load(ordering: .relaxed) == 0)
    }
  }

  @Test("P5: A wait ends at its timeout, and the error names the holder")
  func timeout() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("lock")
      let holder = try Worker(["lock", path.string])
      #expect(try holder.readLine() == "locked")
      let lock = try files.lock(at: path)
      #expect(try lock.hasOtherUsers)
      let error = #expect(throws: FileError.self) {
        try lock.acquire(0, timeout: .milliseconds(30))
      }
      #expect(error?.code == .resourceBusy)
      #expect(error?.description.contains("process \(holder.process) holds it") == true)
      // The other parts of the lock are free.
      try lock.acquire(1, timeout: .zero)
      holder.kill()
      try lock.acquire()
      #expect(try !lock.hasOtherUsers)
    }
  }

  @Test("P5: The lock belongs to its path, even after its file is removed and recreated")
  func removedFile() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("lock")
      let old = try files.lock(at: path)
      try files.remove(path)
      let new = try files.lock(at: path)
      try new.acquire()
      let error = #expect(throws: FileError.self) { try old.acquire(0, timeout: .zero) }
      #expect(error?.code == .resourceBusy)
      new.release()
      try old.acquire()
    }
  }

  @Test("P5: A forked child does not inherit the lock")
  func fork() throws {
    try withTemporaryDirectory { directory in
      let worker = try Worker(["fork-lock", directory.appending("lock").string])
      #expect(try worker.readLine() == "child waits")
      #expect(try worker.readLine() == "child acquired")
      #expect(worker.wait() == 0)
    }
  }

  @Test("P9, P10: Arbitrary file contents do no harm, and links are not followed")
  func arbitraryContents() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appending("lock")
      for junk in [[], [1], [UInt8](repeating: 0xFF, count: 9000)] as [[UInt8]] {
        try files.replaceFile(at: path, with: junk)
        let lock = try files.lock(at: path)
        try lock.acquire()
        #expect(throws: FileError.self) { try files.lock(at: path).acquire(0, timeout: .zero) }
      }
      #expect(symlink(path.string, directory.appending("link").string) == 0)
      #expect(throws: FileError.self) { try files.lock(at: directory.appending("link")) }
    }
  }
}
