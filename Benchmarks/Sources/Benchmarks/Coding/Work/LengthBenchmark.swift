import Foundation
import Keepsake

/// Whether decoding takes longer per byte the longer a text is.
///
/// It does, for every decoder: what it makes of a long text no longer fits in the processor's caches,
/// and is new memory from the kernel. Foundation's times beside show how much of it that is.
enum LengthBenchmark: Benchmark {
  static let name = "length"
  /// As much of the speed per byte as a long text must have.
  private static let share = 0.8

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    let long = options.isQuick ? 4 : 64
    let cards = (1 << 20) / GameCardSample.json.utf8.count
    let json = KeepsakeJSONEncoder()
    let jsonDecoders: [(String, any DataDecoder)] = [
      ("Keepsake", KeepsakeJSONDecoder()), ("Foundation", JSONDecoder()),
    ]
    var rows = try await row(
      options, "decode cards, JSON", "1 MB", list(cards, json), "\(long) MB",
      list(cards * long, json), jsonDecoders)
    for format in [PropertyList.Format.xml, .binary] {
      let encoder = KeepsakePropertyListEncoder()
      encoder.outputFormat = format
      rows += try await row(
        options, "decode cards, \(format == .xml ? "XML" : "binary") property list", "1 MB",
        list(cards, encoder), "\(long) MB", list(cards * long, encoder),
        [("Keepsake", KeepsakePropertyListDecoder())])
    }
    rows += try await row(
      options, "decode an object", "1 MB", object(42_000), "100,000 keys", object(100_000),
      jsonDecoders)
    rows += try await row(
      options, "decode a string", "1 MB", string(1 << 20), "10 MB", string(10 << 20), jsonDecoders)
    return rows
  }

  // MARK: Texts

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
    _ longName: String, _ long: Text<Value>, _ decoders: [(name: String, decoder: any DataDecoder)]
  ) async throws -> [Row] {
    var rows: [Row] = []
    for (package, decoder) in decoders {
      let contestants = try [(shortName, short), (longName, long)].map { name, text in
        guard try decoder.decode(Value.self, from: text.data) == text.value else {
          throw WrongResult(name: name)
        }
        let megabytes = Double(text.data.count) / Double(1 << 20)
        return Contestant(name: "\(package), \(name)") { count in
          try Clock.thread.time(of: count) { _ in
            Sink.take(try decoder.decode(Value.self, from: text.data))
          } / megabytes
        }
      }
      let (reference, name) = (contestants[0].name, contestants[1].name)
      let target = Target(name: name, limit: .times(1 / share, of: reference), meaning: "linear")
      rows += try await options.codingRounds.run(contestants).rows(
        "\(work), for each MB", reference: reference,
        targets: package == "Keepsake" ? [target] : [])
    }
    return rows
  }
}

/// What the decoders have in common here.
private protocol DataDecoder {
  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

/// What the encoders of both formats have in common here.
private protocol DataEncoder {
  func encode(_ value: some Encodable) throws -> Data
}

extension JSONDecoder: DataDecoder {}
extension KeepsakeJSONDecoder: DataDecoder {}
extension KeepsakePropertyListDecoder: DataDecoder {}
extension KeepsakeJSONEncoder: DataEncoder {}
extension KeepsakePropertyListEncoder: DataEncoder {}
