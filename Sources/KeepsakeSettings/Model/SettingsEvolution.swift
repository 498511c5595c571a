import KeepsakeCoding

/// Reads and replaces stored values of other versions of a `Codable` type.
///
/// A class, so that it costs a key of another type nothing.
@usableFromInline
final class SettingsEvolution<Value: Sendable>: Sendable {
  /// Decodes a value, and takes keys that it lacks from a default.
  ///
  /// Returns the value, and the coding paths of the keys; throws if the default lacks one, too.
  let decode: Decode
  /// Adds to a new value the keys of the stored one that the type does not know.
  ///
  /// Throws if the stored value cannot be decoded.
  let keepUnknown: KeepUnknown

  typealias Decode =
    @Sendable (_ stored: PropertyList.Value, _ defaultValue: Value?) throws -> (
      value: Value, filled: [String]
    )
  typealias KeepUnknown =
    @Sendable (
      _ stored: PropertyList.Value, _ new: PropertyList.Value, _ defaultValue: Value?
    ) throws -> PropertyList.Value

  init(decode: @escaping Decode, keepUnknown: @escaping KeepUnknown) {
    self.decode = decode
    self.keepUnknown = keepUnknown
  }
}

extension SettingsEvolution where Value: Codable {
  static func codable(_ conversion: CodableConversion) -> SettingsEvolution {
    SettingsEvolution { stored, defaultValue in
      let (value, _, filled) = try fill(Value.self, from: stored, defaultValue, conversion)
      return (value, filled.map { $0.map(\.stringValue).joined(separator: ".") })
    } keepUnknown: { stored, new, defaultValue in
      let (recorded, source, _) = try fill(
        Recorded<Value>.self, from: stored, defaultValue, conversion)
      let known = JSON.Value(tree: try conversion.encode(recorded.value))
      let kept = ThreeWayMerge.keepingUnknown(
        of: source, known: known, use: recorded.use, ours: JSON.Value(tree: new))
      return PropertyList.Value(tree: kept) ?? new
    }
  }

  private static func fill<Result: Decodable>(
    _: Result.Type, from stored: PropertyList.Value, _ defaultValue: Value?,
    _ conversion: CodableConversion
  ) throws -> (value: Result, source: JSON.Value, filled: [[any CodingKey]]) {
    try JSON.Value(tree: stored).decode {
      // A default that cannot be encoded fills nothing.
      try? defaultValue.map { JSON.Value(tree: try conversion.encode($0)) }
    } by: {
      try conversion.decode(Result.self, from: PropertyList.Value(tree: $0) ?? stored)
    }
  }
}

extension SettingsEvolution {
  /// The same for an optional value.
  static func optional<Wrapped>(
    _ evolution: SettingsEvolution<Wrapped>
  ) -> SettingsEvolution
  where Value == Wrapped? {
    SettingsEvolution { stored, defaultValue in
      let (value, filled) = try evolution.decode(stored, defaultValue ?? nil)
      return (value, filled)
    } keepUnknown: { stored, new, defaultValue in
      try evolution.keepUnknown(stored, new, defaultValue ?? nil)
    }
  }
}
