import Foundation
import Keepsake
import SystemPackage

/// Cards in directories of the workspace.
enum DocumentFixture {
  static func directory(_ name: String, in workspace: Workspace) -> String {
    workspace.path("documents-\(name)")
  }

  static func store(
    _ name: String, in workspace: Workspace
  ) throws -> DocumentStore<SampleCard> {
    try DocumentStore(
      directory: FilePath(directory(name, in: workspace)), pathExtension: SampleCard.pathExtension)
  }

  /// Puts cards into a directory, and into a database.
  static func prepare(_ cards: [SampleCard], _ name: String, in workspace: Workspace) throws {
    let directory = directory(name, in: workspace)
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    for card in cards {
      try card.text.write(
        to: URL(
          fileURLWithPath: "\(directory)/\(card.id.uuidString).\(SampleCard.pathExtension)"))
    }
    let database = try CardDatabase(path: "\(directory).sqlite")
    try database.save(cards)
    try database.checkpoint()
  }

  /// Puts empty files with the names of cards into a directory.
  static func prepareNames(_ count: Int, _ name: String, in workspace: Workspace) throws {
    let directory = directory(name, in: workspace)
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    for _ in 0..<count {
      let path = "\(directory)/\(UUID().uuidString).\(SampleCard.pathExtension)"
      guard FileManager.default.createFile(atPath: path, contents: nil) else {
        throw CocoaError(.fileWriteUnknown)
      }
    }
  }
}
