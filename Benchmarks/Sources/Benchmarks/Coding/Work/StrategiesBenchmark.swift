import Foundation
import Keepsake

/// What strategies cost: the same settings as they are by default, and with dates as ISO 8601 with
/// fractional seconds and keys in snake case.
enum StrategiesBenchmark: Benchmark {
  static let name = "strategies"
  private static let limit = 1.3

  static func rows(_ options: Options, in workspace: Workspace) async throws -> [Row] {
    let fractional = try Preferences.sample(fraction: 0.125)
    let whole = try Preferences.sample(fraction: 0)
    let coders = Coder<Preferences>.json
    let (plainKeepsake, plainFoundation) = (coders[0], coders[1])
    let plain = try plainFoundation.encode(fractional)
    let strategic = try text(fractional, fractional: true)
    let wholeText = try text(whole, fractional: false)

    let decoding = try await options.codingRounds.run([
      plainKeepsake.decoding(plain, to: fractional),
      keepsakeStrategic.decoding(strategic, to: fractional),
      plainFoundation.decoding(plain, to: fractional),
      foundationStrategic.decoding(wholeText, to: whole),
    ])
    let encoding = try await options.codingRounds.run([
      plainKeepsake.encoding(fractional), keepsakeStrategic.encoding(fractional),
      plainFoundation.encoding(fractional), foundationStrategic.encoding(whole),
    ])
    let size = Format.size(bytes: strategic.count)
    return rows("decode settings, \(size)", decoding) + rows("encode settings, \(size)", encoding)
  }

  /// Each package's strategies beside its own defaults.
  private static func rows(_ work: String, _ measurements: Measurements) -> [Row] {
    let target = Target(name: "Keepsake, strategies", limit: .times(limit, of: "Keepsake"))
    return ["Keepsake", "Foundation"].flatMap { package in
      measurements.rows(work, reference: package, targets: [target])
        .filter { $0.name.hasPrefix(package) }
    }
  }

  private static var keepsakeStrategic: Coder<Preferences> {
    let decoder = KeepsakeJSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601WithFractionalSeconds
    let encoder = KeepsakeJSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy = .iso8601WithFractionalSeconds
    return Coder(
      name: "Keepsake, strategies", decode: { try decoder.decode(Preferences.self, from: $0) },
      encode: { try encoder.encode($0) })
  }

  /// Foundation has no fractional seconds but through closures: it is given whole ones.
  private static var foundationStrategic: Coder<Preferences> {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy = .iso8601
    return Coder(
      name: "Foundation, strategies", decode: { try decoder.decode(Preferences.self, from: $0) },
      encode: { try encoder.encode($0) })
  }

  private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  private static func text(_ value: Preferences, fractional: Bool) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy =
      fractional ? .custom { try $0.formatted(style).encode(to: $1) } : .iso8601
    return try encoder.encode(value)
  }
}
