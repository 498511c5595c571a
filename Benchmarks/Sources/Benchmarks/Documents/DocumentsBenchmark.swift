import Foundation
import Keepsake
import SystemPackage

/// What documents cost: all of them loaded, one saved, many saved together, one with images saved
/// again and again.
enum DocumentsBenchmark: Benchmark {
  static let name = "documents"

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    var rows: [Row] = []
    for count in options.isQuick ? [1000] : [1000, 10_000] {
      rows += try await loading(count, options, in: workspace)
    }
    return try await rows + saving(options, in: workspace)
      + savingTogether(options, in: workspace) + autosaving(options, in: workspace)
  }

  // MARK: Fixtures

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
}
