import Foundation
import Keepsake

/// Whether decoding takes longer per byte the longer a text is.
enum LengthBenchmark: Benchmark {
  static let name = "length"
  /// As much of the speed per byte as a long text must have.
  private static let share = 0.8

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    let long = options.isQuick ? 4 : 64
    let cards = try cardsPerMegabyte()
    let json = KeepsakeJSONEncoder()
    var rows = try await row(
      options, "decode cards, JSON", "1 MB", list(cards, json), "\(long) MB",
      list(cards * long, json), KeepsakeJSONDecoder())
    for format in [PropertyList.Format.xml, .binary] {
      let encoder = KeepsakePropertyListEncoder()
      encoder.outputFormat = format
      rows += try await row(
        options, "decode cards, \(format == .xml ? "XML" : "binary") property list", "1 MB",
        list(cards, encoder), "\(long) MB", list(cards * long, encoder),
        KeepsakePropertyListDecoder())
    }
    rows += try await row(
      options, "decode an object", "1,000 keys", object(1000), "100,000 keys", object(100_000),
      KeepsakeJSONDecoder())
    rows += try await row(
      options, "decode a string", "1 MB", string(1 << 20), "10 MB", string(10 << 20),
      KeepsakeJSONDecoder())
    return rows
  }

  // MARK: Texts

  private static func cardsPerMegabyte() throws -> Int {
    (1 << 20) / GameCardSample.json.utf8.count
  }

  /// Cards that differ: a binary property list has equal strings only once.
  private static func list(_ count: Int, _ encoder: some DataEncoder) throws -> Text<[GameCard]> {
    var card = try JSONDecoder().decode(GameCard.self, from: Data(GameCardSample.json.utf8))
    let name = card.name
    let value = (0..<count).map { number in
      card.name = "\(name) \(number)"
      return card
    }
    return Text(data: try encoder.encode(value), value: value)
  }

  private static func object(_ count: Int) throws -> Text<[String: Int]> {
    let value = Dictionary(uniqueKeysWithValues: (0..<count).map { ("key number \($0)", $0) })
    return Text(data: try KeepsakeJSONEncoder().encode(value), value: value)
  }

  private static func string(_ count: Int) throws -> Text<[String]> {
    let value = [String(String(repeating: "A plain text without an end. ", count: count / 29))]
    return Text(data: try KeepsakeJSONEncoder().encode(value), value: value)
  }

  // MARK: Measuring

  private struct Text<Value> {
    var data: Data
    var value: Value
  }

  private static func row<Value: Decodable & Equatable>(
    _ options: Options, _ work: String, _ shortName: String, _ short: Text<Value>,
    _ longName: String, _ long: Text<Value>, _ decoder: some DataDecoder
  ) async throws -> [Row] {
    let contestants = try [(shortName, short), (longName, long)].map { name, text in
      guard try decoder.decode(Value.self, from: text.data) == text.value else {
        throw WrongResult(name: name)
      }
      let megabytes = Double(text.data.count) / Double(1 << 20)
      return Contestant(name: "\(name), for each MB") { count in
        try Clock.thread.time(of: count) { _ in
          Sink.take(try decoder.decode(Value.self, from: text.data))
        } / megabytes
      }
    }
    let (reference, name) = (contestants[0].name, contestants[1].name)
    return try await options.codingRounds.run(contestants).rows(
      work, reference: reference,
      targets: [Target(name: name, limit: .times(1 / share, of: reference), meaning: "linear")])
  }
}

/// What the decoders of both formats have in common here.
private protocol DataDecoder {
  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

/// What the encoders of both formats have in common here.
private protocol DataEncoder {
  func encode(_ value: some Encodable) throws -> Data
}

extension KeepsakeJSONDecoder: DataDecoder {}
extension KeepsakePropertyListDecoder: DataDecoder {}
extension KeepsakeJSONEncoder: DataEncoder {}
extension KeepsakePropertyListEncoder: DataEncoder {}
