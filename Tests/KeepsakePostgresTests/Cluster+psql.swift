import Foundation
import KeepsakeTestSupport
import Testing

extension Cluster {
  /// Runs statements with psql, each argument as one transaction, and returns what it prints.
  @discardableResult
  func psql(_ statements: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/psql")
    process.arguments =
      ["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", postgres] + statements.flatMap { ["-c", $0] }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: bytes, as: UTF8.self)
  }
}
