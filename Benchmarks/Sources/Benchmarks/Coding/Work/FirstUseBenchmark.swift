import Foundation
import Keepsake

/// What is paid before anything is fast: the first decoding in a process, and the memory that
/// decoding takes.
enum FirstUseBenchmark: Benchmark {
  static let name = "first"

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    let rounds = Rounds(budget: options.isQuick ? 0.5 : 5, turn: 0, least: 3)
    var rows: [Row] = []
    for sample in DecodingChild.Sample.allCases {
      try Data(sample.text.utf8).write(to: sample.file(in: workspace))
      var held = Measurements()
      var peak = Measurements()
      let contestants = DecodingChild.Kind.allCases.map { kind in
        Contestant(name: kind.title, batch: 1) { _ in
          let numbers = try DecodingChild.run(kind, sample)
          held.add(numbers.held, of: kind.title)
          peak.add(numbers.peak, of: kind.title)
          return numbers.seconds
        }
      }
      let times = try await rounds.run(contestants)
      let reference = DecodingChild.Kind.keepsake.title
      rows += times.rows(
        "first decoding of \(sample.title) in a process", reference: reference,
        targets: sample == .card
          ? [Target(name: reference, limit: .asFast(1, as: DecodingChild.Kind.foundation.title))]
          : [])
      guard sample != .card else { continue }
      rows += held.rows("memory of \(sample.title)", reference: reference, unit: .bytes)
      rows += peak.rows("peak of memory for \(sample.title)", reference: reference, unit: .bytes)
    }
    return rows
  }
}

/// A process that decodes one text, once.
enum DecodingChild {
  enum Kind: String, CaseIterable {
    case keepsake, foundation

    var title: String { self == .keepsake ? "Keepsake" : "Foundation" }
  }

  enum Sample: String, CaseIterable {
    case card, timeline, catalog, outline

    var title: String {
      switch self {
      case .card: "a card"
      case .timeline: "strings"
      case .catalog: "dictionaries"
      case .outline: "doubles"
      }
    }

    var text: String {
      switch self {
      case .card: GameCardSample.json
      case .timeline: TimelineSample.json()
      case .catalog: CatalogSample.json()
      case .outline: OutlineSample.json()
      }
    }

    /// Where the text is for the child, so that making it leaves no memory behind to be used again.
    func file(in workspace: Workspace) -> URL {
      URL(fileURLWithPath: workspace.path("decoding-\(rawValue).json"))
    }
  }

  // MARK: In the parent

  static func run(
    _ kind: Kind, _ sample: Sample
  ) throws -> (seconds: Double, held: Double, peak: Double) {
    let child = try Child(.decode, [kind.rawValue, sample.rawValue])
    let numbers = (try child.line() ?? "").split(separator: " ").compactMap { Double($0) }
    try child.end()
    guard numbers.count == 3 else { throw CocoaError(.executableRuntimeMismatch) }
    return (numbers[0], numbers[1], numbers[2])
  }

  // MARK: In the child

  static func main(_ arguments: [String], in workspace: Workspace) throws {
    guard arguments.count == 2, let kind = Kind(rawValue: arguments[0]),
      let sample = Sample(rawValue: arguments[1])
    else { throw CocoaError(.executableRuntimeMismatch) }
    let data = try Data(contentsOf: sample.file(in: workspace))
    switch sample {
    case .card: try decode(GameCard.self, data, kind)
    case .timeline: try decode(Timeline.self, data, kind)
    case .catalog: try decode(Catalog.self, data, kind)
    case .outline: try decode(Outline.self, data, kind)
    }
  }

  private static func decode<Value: Codable & Equatable>(
    _ type: Value.Type, _ data: Data, _ kind: Kind
  ) throws {
    ProcessMemory.resetPeak()
    let before = ProcessMemory.resident
    let start = Clock.wall.now
    let value =
      try kind == .keepsake
      ? KeepsakeJSONDecoder().decode(type, from: data) : JSONDecoder().decode(type, from: data)
    let seconds = Clock.wall.now - start
    let peak = ProcessMemory.peak - before
    let held = ProcessMemory.resident - before
    withExtendedLifetime(value) { Child.say("\(seconds) \(held) \(peak)") }
  }
}
