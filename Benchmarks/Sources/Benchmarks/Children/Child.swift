import Foundation
import Glibc

/// A process that runs this program in another role, and talks in lines.
final class Child {
  private let process = Process()
  private let output = Pipe()
  private let input = Pipe()
  private var unread: [UInt8] = []

  init(_ role: ChildRole, _ arguments: [String]) throws {
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--child", role.rawValue] + arguments
    process.standardOutput = output
    process.standardInput = input
    try process.run()
  }

  /// The next line, or `nil` where none comes in time.
  func line(within seconds: Double = 60) throws -> String? {
    let deadline = Clock.wall.now + seconds
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeFirst(end + 1) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let left = deadline - Clock.wall.now
      if left <= 0 { return nil }
      let descriptor = output.fileHandleForReading.fileDescriptor
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&waiting, 1, Int32(left * 1000) + 1) <= 0 { continue }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = read(descriptor, &bytes, bytes.count)
      if count <= 0 { throw CocoaError(.fileReadUnknown) }
      unread += bytes[..<count]
    }
  }

  /// Says a line to the process.
  func tell(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Ends the process, which stops when nobody can speak to it any more.
  func end() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableRuntimeMismatch) }
  }

  // MARK: In the child

  /// Ends this process when the one that started it ends, or ends it.
  static func exitWithParent() {
    Thread.detachNewThread {
      var byte: UInt8 = 0
      while read(STDIN_FILENO, &byte, 1) > 0 {}
      exit(0)
    }
  }

  /// Says a line to the process that started this one.
  static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }
}
