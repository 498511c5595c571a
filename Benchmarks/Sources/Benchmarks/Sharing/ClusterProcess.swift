import Foundation

/// Three nodes of etcd, or PostgreSQL, as `Scripts/cluster` of the checkout starts them; they end with this process.
final class ClusterProcess {
  private struct Addresses: Decodable {
    let etcd: [String]?
    let postgres: String?
  }

  private let process = Process()
  private let input = Pipe()
  /// The addresses of etcd's nodes.
  let endpoints: [String]
  /// The URI of PostgreSQL's database.
  let database: String

  /// - Parameter engine: `etcd` or `postgres`.
  init(_ engine: String) throws {
    let checkout = URL(fileURLWithPath: #filePath).pathComponents.dropLast(5)
    let script = checkout.joined(separator: "/").dropFirst() + "/Scripts/cluster"
    process.executableURL = URL(fileURLWithPath: String(script))
    process.arguments = ["--only", engine]
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
      if byte.isEmpty { throw CocoaError(.executableLoad) }
      line += byte
    }
    let addresses = try JSONDecoder().decode(Addresses.self, from: line)
    (endpoints, database) = (addresses.etcd ?? [], addresses.postgres ?? "")
  }

  func end() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
