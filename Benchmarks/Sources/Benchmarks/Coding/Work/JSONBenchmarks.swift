import Foundation
import Keepsake

/// What it costs to make a value of JSON.
enum DecodingBenchmark: Benchmark {
  static let name = "decode"

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    try await Samples.card.decodingRows(
      options, beside: [Samples.card.decoding(as: StoredGameCard.self)])
      + Samples.timeline.decodingRows(
        options, beside: [Samples.timeline.decoding(as: StoredTimeline.self)])
      + Samples.catalog.decodingRows(
        options, beside: [Samples.catalog.decoding(as: StoredCatalog.self)])
      + Samples.outline.decodingRows(
        options, beside: [Samples.outline.decoding(as: StoredOutline.self)])
      + Samples.escapes.decodingRows(options, hasFloor: false)
      + Samples.otherEscapes.decodingRows(options, hasFloor: false)
      + Samples.base64.decodingRows(options, hasFloor: false)
      + Samples.nested.decodingRows(options, hasFloor: false)
      + Samples.bytes.decodingRows(options, hasFloor: false)
      + Samples.shortStrings.decodingRows(options, hasFloor: false)
      + Samples.payloads.decodingRows(options, hasFloor: false)
  }
}

/// What it costs to make JSON of a value.
enum EncodingBenchmark: Benchmark {
  static let name = "encode"

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    try await Samples.card.encodingRows(
      options, beside: [Samples.card.encoding(as: StoredGameCard.self)])
      + Samples.timeline.encodingRows(
        options, beside: [Samples.timeline.encoding(as: StoredTimeline.self)])
      + Samples.catalog.encodingRows(
        options, beside: [Samples.catalog.encoding(as: StoredCatalog.self)])
      + Samples.outline.encodingRows(
        options, beside: [Samples.outline.encoding(as: StoredOutline.self)])
  }
}

/// What is measured of one text, and what is to be reached.
struct Sample<Value: Codable & Equatable> {
  let name: String
  let text: String
  /// How many times as fast as Foundation the package is to be.
  let decoding: Double
  let encoding: Double

  private var size: String { Format.size(bytes: text.utf8.count) }

  /// - Parameter hasFloor: Whether `Codable` has a floor of its own: a few long texts have none.
  func decodingRows(
    _ options: Options, beside others: [Contestant] = [], hasFloor: Bool = true
  ) async throws -> [Row] {
    let data = Data(text.utf8)
    let value = try JSONDecoder().decode(Value.self, from: data)
    let contestants =
      try Coder<Value>.json.map { try $0.decoding(data, to: value) }
      + (hasFloor ? [Floor(value).decoding] : []) + others
    return try await options.codingRounds.run(contestants)
      .rows("decode \(name), \(size)", atLeast: decoding)
  }

  func encodingRows(_ options: Options, beside others: [Contestant] = []) async throws -> [Row] {
    let value = try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    let contestants =
      try Coder<Value>.json.map { try $0.encoding(value) } + [Floor(value).encoding(value)] + others
    return try await options.codingRounds.run(contestants)
      .rows("encode \(name), \(size)", atLeast: encoding)
  }
}

extension Sample {
  private static var name: String { "Keepsake, @Storable" }

  /// Decodes the text as a type that has the same properties and `@Storable`.
  func decoding<Stored: Codable & Equatable>(as type: Stored.Type) throws -> Contestant {
    let data = Data(text.utf8)
    let decoder = KeepsakeJSONDecoder()
    let value = try JSONDecoder().decode(Value.self, from: data)
    let stored = try decoder.decode(type, from: data)
    guard try decoder.decode(Value.self, from: JSONEncoder().encode(stored)) == value else {
      throw WrongResult(name: Self.name)
    }
    return Contestant(name: Self.name) { count in
      try Clock.thread.time(of: count) { _ in Sink.take(try decoder.decode(type, from: data)) }
    }
  }

  func encoding<Stored: Codable & Equatable>(as type: Stored.Type) throws -> Contestant {
    let data = Data(text.utf8)
    let encoder = KeepsakeJSONEncoder()
    let value = try KeepsakeJSONDecoder().decode(type, from: data)
    guard
      try JSONDecoder().decode(Value.self, from: encoder.encode(value))
        == JSONDecoder().decode(Value.self, from: data)
    else { throw WrongResult(name: Self.name) }
    return Contestant(name: Self.name) { count in
      try Clock.thread.time(of: count) { _ in Sink.take(try encoder.encode(value)) }
    }
  }
}

/// The texts that the targets are given for.
enum Samples {
  static let card = Sample<GameCard>(
    name: "a card", text: GameCardSample.json, decoding: 6, encoding: 6)
  static let timeline = Sample<Timeline>(
    name: "strings", text: TimelineSample.json(), decoding: 5.5, encoding: 6)
  static let catalog = Sample<Catalog>(
    name: "dictionaries", text: CatalogSample.json(), decoding: 8.6, encoding: 8)
  static let outline = Sample<Outline>(
    name: "doubles", text: OutlineSample.json(), decoding: 8, encoding: 15)

  static let escapes = Sample<[String]>(
    name: "long strings with escapes",
    text: list(
      repeatElement(
        String(repeating: #"A line of plain text, and its end.\n"#, count: 300), count: 50)),
    decoding: 9.5, encoding: 6)
  static let otherEscapes = Sample<[String]>(
    name: "the same, not ASCII",
    text: list(
      repeatElement(
        String(repeating: #"Über 40 Zeilen, 漢字 und ihr Ende.\n"#, count: 300), count: 50)),
    decoding: 5, encoding: 6)
  static let base64 = Sample<[Data]>(
    name: "data",
    text: list([
      Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 8) })
        .base64EncodedString()
    ]),
    decoding: 4.3, encoding: 4)

  /// Objects and arrays by turns.
  static let nested = Sample<Nested>(
    name: "250 levels",
    text: String(repeating: #"{"inner":["#, count: 125) + String(repeating: "]}", count: 125),
    decoding: 2.2, encoding: 2)
  static let bytes = Sample<[UInt8]>(
    name: "100,000 bytes as numbers",
    text:
      "[\((0..<100_000).map { "\(UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 8))" }.joined(separator: ","))]",
    decoding: 8, encoding: 8)
  static let shortStrings = Sample<[String]>(
    name: "100,000 short strings", text: list((0..<100_000).map { "text \($0)" }), decoding: 5.7,
    encoding: 6)
  static let payloads = Sample<[Outcome]>(
    name: "enumerations with payloads",
    text: "[\((0..<250).map(Outcome.json).joined(separator: ","))]", decoding: 4, encoding: 4)

  /// An array of strings, whose escapes are there already.
  private static func list(_ strings: some Sequence<String>) -> String {
    "[" + strings.map { "\"\($0)\"" }.joined(separator: ",") + "]"
  }
}

extension Options {
  /// There are many pairs to be measured, and each is measured by the processor's time.
  var codingRounds: Rounds {
    isQuick
      ? Rounds(budget: 0.3, turn: 0.001, least: 3) : Rounds(budget: 4, turn: 0.004, least: 5)
  }
}

extension Measurements {
  /// Rows whose ratios are to Foundation's time.
  ///
  /// - Parameter factor: How many times as fast as Foundation the package is to be.
  func rows(_ work: String, atLeast factor: Double?) -> [Row] {
    let target = factor.map { Target(name: "Keepsake", limit: .asFast($0, as: "Foundation")) }
    return rows(work, reference: "Keepsake", targets: target.map { [$0] } ?? [])
  }
}
