import Foundation

/// PostgreSQL's own benchmark: clients that each change a row of their own, again and again.
final class Pgbench: Sendable {
  private struct Failed: Error {}

  private let database: String
  private let program: String
  private let script: URL

  init(database: String) throws {
    self.database = database
    let versions = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")
    guard let version = versions.compactMap(Int.init).max() else { throw Failed() }
    program = "/usr/lib/postgresql/\(version)/bin/"
    script = FileManager.default.temporaryDirectory
      .appendingPathComponent("keepsake-\(ProcessInfo.processInfo.processIdentifier).sql")
    try Data(
      """
      INSERT INTO raw VALUES (:client_id, 0)
        ON CONFLICT (id) DO UPDATE SET value = raw.value + 1;

      """.utf8
    ).write(to: script)
    _ = try output(of: "psql", "-c", "CREATE TABLE raw (id integer PRIMARY KEY, value bigint)")
  }

  deinit { try? FileManager.default.removeItem(at: script) }

  /// - Parameter count: How many changes each client makes.
  /// - Returns: The seconds that one change took.
  func run(clients: Int, count: Int) throws -> Double {
    let text = try output(
      of: "pgbench", "--no-vacuum", "--protocol=prepared", "--client=\(clients)",
      "--transactions=\(count)", "--file=\(script.path)")
    for line in text.split(separator: "\n") where line.hasPrefix("tps = ") {
      if let rate = Double(line.dropFirst(6).prefix { $0 != " " }) { return 1 / rate }
    }
    throw Failed()
  }

  private func output(of name: String, _ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program + name)
    process.arguments = arguments + [database]
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
    try process.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed() }
    return text
  }
}
