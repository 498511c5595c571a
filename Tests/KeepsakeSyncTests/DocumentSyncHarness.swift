import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSync

/// Documents on this machine's disk that follow an engine in memory.
class DocumentSyncHarness {
  struct Card: Codable, Identifiable, Hashable, Sendable {
    var id: String
    var title = ""
    var color = ""
    var marks: [String: Bool] = [:]
    var items: [String]?
  }

  let engine = InMemoryEngine(limits: SyncLimits(writes: 4, length: 5000))

  func open(
    _ directory: FilePath, isShared: Bool = true, timing: SyncTiming = .short,
    onConflict: @escaping @Sendable (DocumentConflict) -> DocumentConflict.Resolution = { _ in
      .keepBoth
    }
  ) throws -> DocumentStore<Card> {
    var configuration = DocumentConfiguration()
    configuration.autosaveDelay = .seconds(600)
    let store = try DocumentStore<Card>(
      directory: directory, pathExtension: "card", configuration: configuration)
    if isShared { try store.share(through: engine, onConflict: onConflict, timing: timing) }
    return store
  }

  func titles(_ store: DocumentStore<Card>) throws -> [String] {
    try store.entries().map { try store.load($0.id).title }
  }

  func texts(_ directory: FilePath) throws -> [String: [UInt8]] {
    var texts: [String: [UInt8]] = [:]
    for name in try LocalFileSystem().contents(ofDirectory: directory)
    where name.hasSuffix(".card") {
      texts[name] = try LocalFileSystem().readFile(at: directory.appending(name))
    }
    return texts
  }

  var engineTexts: [String: [UInt8]] {
    get async {
      var texts: [String: [UInt8]] = [:]
      for (key, value) in await engine.model.values where !key.starts(with: "Assets".utf8) {
        texts[String(decoding: key, as: UTF8.self)] = value
      }
      return texts
    }
  }

  /// Waits until all have what the engine has.
  func agreed(_ directories: FilePath...) async throws -> [String: [UInt8]] {
    try await eventually {
      let texts = await engineTexts
      return try directories.allSatisfy { try self.texts($0) == texts }
    }
    return await engineTexts
  }
}

extension InMemoryEngine {
  /// Writes what a person or another program would.
  func put(_ name: String, _ text: [UInt8]?) {
    _ = performElsewhere(
      SyncCommit(conditions: [:], writes: [.value(Array(name.utf8)): text]))
  }
}
