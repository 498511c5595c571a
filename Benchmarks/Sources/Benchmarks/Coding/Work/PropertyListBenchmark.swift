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
      rows += try await decodingRows("a card", card, format, options)
      rows += try await encodingRows("a card", card, format, options, atLeast: factor)
      rows += try await decodingRows("settings", settings, format, options)
      rows += try await encodingRows("settings", settings, format, options, atLeast: factor)
    }
    let counts = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ("key\($0)", $0) })
    let texts = (0..<5_000).map { "text number \($0) of an array" }
    let numbers = (0..<5_000).map { Double($0) * 1.2345 }
    let data = [
      "data": Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 167 + $0 >> 8) })
    ]
    rows += try await encodingRows("a dictionary of 1,000", counts, .xml, options, atLeast: 3.5)
    rows += try await encodingRows("a dictionary of 1,000", counts, .binary, options, atLeast: 5.9)
    rows += try await encodingRows("5,000 strings", texts, .xml, options, atLeast: 5.7)
    rows += try await encodingRows("5,000 strings", texts, .binary, options, atLeast: 2)
    rows += try await encodingRows("5,000 doubles", numbers, .xml, options, atLeast: 5.8)
    rows += try await encodingRows("5,000 doubles", numbers, .binary, options, atLeast: 5.8)
    rows += try await encodingRows("1 MB of data", data, .binary, options, atLeast: 1)
    return rows
  }

  private static func decodingRows<Value: Codable & Equatable>(
    _ name: String, _ value: Value, _ format: PropertyListSerialization.PropertyListFormat,
    _ options: Options
  ) async throws -> [Row] {
    let coders = Coder<Value>.propertyList(format)
    let data = try coders[1].encode(value)
    return try await options.codingRounds.run(coders.map { try $0.decoding(data, to: value) })
      .rows("decode \(name), \(title(of: format))", atLeast: factor)
  }

  /// - Parameter factor: How many times as fast as Foundation the package is to be.
  private static func encodingRows<Value: Codable & Equatable>(
    _ name: String, _ value: Value, _ format: PropertyListSerialization.PropertyListFormat,
    _ options: Options, atLeast factor: Double
  ) async throws -> [Row] {
    let coders = Coder<Value>.propertyList(format)
    return try await options.codingRounds.run(coders.map { try $0.encoding(value) })
      .rows("encode \(name), \(title(of: format))", atLeast: factor)
  }

  private static func title(
    of format: PropertyListSerialization.PropertyListFormat
  ) -> String {
    format == .xml ? "XML property list" : "binary property list"
  }
}
