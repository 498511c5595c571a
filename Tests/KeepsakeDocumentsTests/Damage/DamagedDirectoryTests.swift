import Foundation
import KeepsakeBase
import KeepsakeCoding
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("P3: a directory of damaged documents") struct DamagedDirectoryTests {
  private let files = LocalFileSystem()

  @Test("a thousand of them give one clear error each, and the good ones load") func thousand()
    async throws
  {
    let damaged = try truncated() + flipped() + wrong()
    let good = (0..<50).map { DamagedCard(id: "good-\($0)") }
    #expect(damaged.count >= 1000)
    let all =
      try damaged
      + good.map {
        DamagedFile(id: $0.id, bytes: try $0.text, outcome: .document)
      }
    try await check(all)
  }

  @Test("100 MB of brackets are one error, and cost no stack") func brackets() async throws {
    let deep = DamagedFile(
      id: "deep", bytes: [UInt8](repeating: UInt8(ascii: "["), count: 100 << 20),
      outcome: .error("unreadable", line: 1, column: JSON.defaultMaximumDepth + 1))
    let good = DamagedFile(
      id: "good", bytes: try DamagedCard(id: "good").text, outcome: .document)
    try await check([deep, good])
  }

  // MARK: Damage

  /// A file cut at each of its lengths.
  private func truncated() throws -> [DamagedFile] {
    let text = try DamagedCard(id: "cut-0000").text
    return try (0..<text.count - 1).map { length in
      let id = "cut-\(String(format: "%04d", length))"
      let bytes = try DamagedCard(id: id).text.prefix(length)
      return DamagedFile(id: id, bytes: Array(bytes), outcome: .error("unreadable"))
    }
  }

  /// Files with one bit changed, some of which are still documents.
  private func flipped() throws -> [DamagedFile] {
    var random = SeededRandom(seed: 5)
    return try (0..<700).map { index in
      let id = "flip-\(index)"
      var bytes = try DamagedCard(id: id).text
      let place = Int.random(in: bytes.indices, using: &random)
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      let card = try? JSON.Decoder().decode(DamagedCard.self, from: Data(bytes))
      let outcome: DamagedFile.Outcome =
        switch card {
        case nil: .error("unreadable")
        case let card? where card.id != id: .error("wrongIdentity")
        default: .document
        }
      return DamagedFile(id: id, bytes: bytes, outcome: outcome)
    }
  }

  /// Files that are JSON, but none of a card, and some that are neither.
  private func wrong() throws -> [DamagedFile] {
    func file(
      _ id: String, replacing old: String, with new: String, line: Int, column: Int
    ) throws -> DamagedFile {
      let text = String(decoding: try DamagedCard(id: id).text, as: UTF8.self)
      let changed = text.replacing(old, with: new, maxReplacements: 1)
      #expect(changed != text)
      return DamagedFile(
        id: id, bytes: Array(changed.utf8),
        outcome: .error("unreadable", line: line, column: column))
    }
    var result = [
      try file("frame", replacing: "\"frame\" : 2", with: "\"frame\" : 99", line: 4, column: 17),
      try file("type", replacing: "\"frame\" : 2", with: "\"frame\" : []", line: 4, column: 17),
      try file("null", replacing: "\"frame\" : 2", with: "\"frame\" : null", line: 4, column: 17),
      try file("string", replacing: "120.5", with: "\"wide\"", line: 6, column: 9),
      try file("range", replacing: "120.5", with: "1e999", line: 6, column: 9),
      try file("twice", replacing: "-3e-07", with: "-3e-07,", line: 8, column: 7),
      try file(
        "path", replacing: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F.png", with: "../../etc/passwd",
        line: 13, column: 17),
      DamagedFile(
        id: "array", bytes: Array("[]".utf8), outcome: .error("unreadable", line: 1, column: 1)),
      DamagedFile(
        id: "object", bytes: Array("{}".utf8), outcome: .error("unreadable", line: 1, column: 1)),
      DamagedFile(
        id: "zeros", bytes: [UInt8](repeating: 0, count: 4096),
        outcome: .error("unreadable", line: 1, column: 1)),
      DamagedFile(
        id: "nesting", bytes: Array((String(repeating: "{\"a\":", count: 5000) + "1").utf8),
        outcome: .error("unreadable", line: 1, column: 5 * JSON.defaultMaximumDepth + 1)),
      DamagedFile(
        id: "utf16", bytes: [0xFE, 0xFF, 0, 0x7B, 0, 0x7D], outcome: .error("unreadable")),
    ]
    // Copies by hand, which say that they are the document they were copied from.
    for index in 0..<3 {
      result.append(
        DamagedFile(
          id: "copy-\(index)", bytes: try DamagedCard(id: "good-1").text,
          outcome: .error("wrongIdentity", line: 20, column: 10)))
    }
    return result
  }

  // MARK: Check

  private func check(_ all: [DamagedFile]) async throws {
    try await withTemporaryDirectory(isInMemory: true) { root in
      let directory = root.appending("Documents")
      try files.createDirectories(directory)
      for file in all {
        let path = directory.appending("\(file.id).card")
        let created = try files.open(path, .createNew(permissions: .ownerReadWrite))
        try created.writeAll(file.bytes)
        try makeOld(path)
      }
      let store = try DocumentStore<DamagedCard>(directory: directory, pathExtension: "card")
      var outcomes: [String: [DamagedFile.Outcome]] = [:]
      var errors: [String: DocumentError] = [:]
      var order: [String] = []
      for await element in store.loadAll() {
        switch element.result {
        case .success(let card):
          outcomes[card.id, default: []].append(.document)
          order.append(card.id)
        case .failure(let error):
          let id = error.file?.stem ?? "none"
          outcomes[id, default: []].append(.error(error.code.description))
          errors[id] = error
          order.append(id)
        }
        #expect(element.progress.total == all.count)
        #expect(element.progress.done == order.count)
      }
      #expect(order == all.map(\.id).sorted())
      for file in all { try check(file, outcomes[file.id] ?? [], errors[file.id], in: directory) }

      // The next to load meets the good ones, those that say they are another, and those that another
      // version of the app may read.
      let again = try DocumentStore<DamagedCard>(directory: directory, pathExtension: "card")
      for await element in again.loadAll() {
        guard let error = element.error, error.code != .wrongIdentity else { continue }
        #expect(error.code == .unreadable)
        #expect(error.kept?.contains("left unchanged") == true)
      }
    }
  }

  /// Checks that a file had one outcome, the right one, and that its bytes are still there.
  private func check(
    _ file: DamagedFile, _ outcomes: [DamagedFile.Outcome], _ error: DocumentError?,
    in directory: FilePath
  ) throws {
    let place = directory.appending("\(file.id).card")
    let aside = directory.appending("Quarantine").appending("\(file.id).card-1")
    switch file.outcome {
    case .document:
      #expect(outcomes == [.document], "\(file.id)")
      #expect(try files.readFile(at: place) == file.bytes, "\(file.id)")
    case .error(let code, let line, let column):
      #expect(outcomes == [.error(code)], "\(file.id)")
      guard let error else { return }
      let isPlaced = error.line != nil && error.column != nil
      #expect(isPlaced, "\(file.id): \(error)")
      #expect(line == nil || line == error.line && column == error.column, "\(file.id): \(error)")
      #expect("\(error)".split(separator: "\n").count == 1)
      #expect("\(error)".contains("line \(error.line ?? 0), column \(error.column ?? 0)"))
      if code == "wrongIdentity" || (try? JSON.Value(parsing: file.bytes)) != nil {
        #expect(try files.readFile(at: place) == file.bytes, "\(file.id)")
        return
      }
      #expect(try files.information(at: place) == nil, "\(file.id)")
      let kept = try files.readFile(at: aside)
      let isKept = kept == file.bytes
      #expect(isKept, "\(file.id)")
      let why = try files.readFile(at: FilePath(aside.string + ".txt")) ?? []
      #expect(String(decoding: why, as: UTF8.self).contains("line \(error.line ?? 0)"))
    }
  }
}
