import Foundation

/// What it costs to make values of property lists, and property lists of values.
enum PropertyListBenchmark: Benchmark {
  static let name = "plist"
  private static let factor = 5.0

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    let card = try JSONDecoder().decode(GameCard.self, from: Data(GameCardSample.json.utf8))
    let settings = try Preferences.sample(fraction: 0)
    var rows: [Row] = []
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      rows += try await self.rows("a card", card, format, options)
      rows += try await self.rows("settings", settings, format, options)
    }
    return rows
  }

  private static func rows<Value: Codable & Equatable>(
    _ name: String, _ value: Value, _ format: PropertyListSerialization.PropertyListFormat,
    _ options: Options
  ) async throws -> [Row] {
    let coders = Coder<Value>.propertyList(format)
    let data = try coders[1].encode(value)
    let kind = format == .xml ? "XML" : "binary"
    let decoding = try await options.codingRounds.run(
      coders.map { try $0.decoding(data, to: value) })
    let encoding = try await options.codingRounds.run(coders.map { try $0.encoding(value) })
    return decoding.rows("decode \(name), \(kind) property list", atLeast: factor)
      + encoding.rows("encode \(name), \(kind) property list", atLeast: factor)
  }
}
