import Foundation

/// Three nodes of etcd, as `Scripts/cluster` of the checkout starts them; they end with this process.
final class ClusterProcess {
  private struct Addresses: Decodable {
    let etcd: [String]
  }

  private let process = Process()
  private let input = Pipe()
  let endpoints: [String]

  init() throws {
    let checkout = URL(fileURLWithPath: #filePath).pathComponents.dropLast(5)
    let script = checkout.joined(separator: "/").dropFirst() + "/Scripts/cluster"
    process.executableURL = URL(fileURLWithPath: String(script))
    process.arguments = ["--only", "etcd"]
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var line = Data()
    while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
      if byte.isEmpty { throw CocoaError(.executableLoad) }
      line += byte
    }
    endpoints = try JSONDecoder().decode(Addresses.self, from: line).etcd
  }

  func end() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
