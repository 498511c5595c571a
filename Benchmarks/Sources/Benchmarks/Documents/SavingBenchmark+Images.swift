import Foundation
import Keepsake

extension SavingBenchmark {
  /// A card with ten images of 2 MB, of which a text was edited: only the text is to be written.
  static func savingImages(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    let store = try DocumentFixture.store("images", in: workspace)
    let foundation = try FoundationCards(
      directory: DocumentFixture.directory("images-foundation", in: workspace))
    let database = try CardDatabase(path: workspace.path("documents-images.sqlite"))
    let images = (0..<10).map { image($0) }
    var card = SampleCard.number(0)
    card.elements = try images.map { bytes in
      var element = card.elements[0]
      element.id = UUID()
      element.image = try store.addAsset(bytes).name
      return element
    }
    let saved = card
    let live = try store.add(saved)
    let inline = InlineCard(card: card, images: images.map { Data($0) })
    let size = Double(try card.text.count)

    func title(_ number: Int) -> String { "Title \(number)" }
    var written = Measurements()
    func contestant(_ name: String, _ save: @escaping (Int) throws -> Void) -> Contestant {
      Contestant(name: name) { count in
        let before = WrittenBytes.now
        let seconds = try Clock.wall.time(of: count, save)
        written.add(Double(WrittenBytes.now - before) / Double(count), of: name)
        return seconds
      }
    }
    var rounds = options.rounds
    rounds.budget /= 2
    let json = "floor: the JSON's size"
    let times = try await rounds.run([
      contestant("Keepsake") { number in
        live.edit { $0.title = title(number) }
        try live.save()
      },
      contestant("Foundation, images in the JSON") { number in
        var inline = inline
        inline.card.title = title(number)
        try foundation.save(inline, named: "inline")
      },
      contestant("GRDB FULL, images elsewhere") { number in
        var card = saved
        card.title = title(number)
        try database.save([card])
      },
    ])
    for _ in 0..<times.rounds { written.add(size, of: json) }
    return times.rows("save a card with 20 MB of images", reference: "Keepsake")
      + written.rows(
        "bytes written for that", reference: "Keepsake",
        targets: [
          Target(
            name: "Keepsake", limit: .times(2.1, of: json),
            meaning: "the text, and the past version")
        ],
        unit: .bytes)
  }

  /// A card as one keeps it where a document is one file.
  private struct InlineCard: Codable {
    var card: SampleCard
    var images: [Data]
  }

  private static func image(_ number: Int) -> [UInt8] {
    var random = SampleRandom(seed: UInt64(number))
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
    bytes += Array("IHDR".utf8) + [0, 0, 4, 0, 0, 0, 4, 0, 8, 6, 0, 0, 0]
    while bytes.count < 2_000_000 { withUnsafeBytes(of: random.next()) { bytes += $0 } }
    return bytes
  }
}

/// How many bytes this process has given to the kernel to be written.
private enum WrittenBytes {
  static var now: Int {
    let text = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("wchar:") }
    return line.flatMap { Int($0.dropFirst(7)) } ?? 0
  }
}
