import KeepsakeTestSupport
import KeepsakeBase
import KeepsakeDocuments
import KeepsakeTesting
import SystemPackage

/// A simulated disk with a directory of cards.
struct Directory {
  static let path: FilePath = "/app/Documents"

  let disk: SimulatedDisk
  let problems = Problems()

  init(_ disk: SimulatedDisk = SimulatedDisk()) {
    self.disk = disk
  }

  func open(
    _ configuration: DocumentConfiguration = DocumentConfiguration()
  ) throws -> DocumentStore<Card> {
    try DocumentStore(
      directory: Self.path, pathExtension: "card", configuration: configuration, fileSystem: disk
    ) { [problems] in problems.add($0) }
  }

  func text(_ name: String) -> String? {
    disk.bytes(at: Self.path.appending(name)).map { String(decoding: $0, as: UTF8.self) }
  }

  func write(_ text: String, to name: String) throws {
    try disk.write(Array(text.utf8), to: Self.path.appending(name))
  }

  /// The paths of all files below the directory, hidden ones left out.
  var names: [String] {
    disk.files.keys.map { String($0.string.dropFirst(Self.path.string.utf8.count + 1)) }
      .filter { !$0.hasPrefix(".") }.sorted()
  }

  typealias Problems = ReportedProblems<DocumentError>
}

/// The first bytes of a PNG image, and some more that tell it from others.
func image(_ seed: UInt8, count: Int = 100) -> [UInt8] {
  [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: seed, count: count)
}
