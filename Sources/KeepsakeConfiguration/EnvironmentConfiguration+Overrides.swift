#if Configuration
public import KeepsakeCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension EnvironmentConfiguration {
  /// What was set while a program ran, by key.
  public var overrides: [String: PropertyList.Value] { files.currentOverrides }

  /// Sets a value that counts before all others, at once and everywhere.
  ///
  /// Where the overrides have a file, the value is safe against a power cut when this returns, and
  /// other processes hear of it.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key.
  /// - Throws: ``ConfigurationError``, with nothing changed, where the value is not of the types that
  ///   the key was asked for as or, if it was not, not of the kind that another layer has; where it
  ///   cannot be written. Its cause says where the new value is there already, and a power cut may
  ///   take it back.
  public func setOverride(
    _ value: PropertyList.Value, for key: String
  ) throws(ConfigurationError) {
    let name = ConfigurationName(key)
    if let expected = try expectation(of: name, against: value) {
      throw refusal(expected, got: value.kind, for: key)
    }
    try files.setOverride(value, for: name)
  }

  /// Sets a value that counts before all others, of the type that the key has.
  ///
  /// - Parameters:
  ///   - text: The value as text: a number, a truth value, a date (ISO 8601), data (Base64), an array
  ///     with commas, JSON for what is nested.
  ///   - key: The key.
  /// - Throws: ``ConfigurationError``, with nothing changed, where the text is no value of the key's
  ///   type, as ``setOverride(_:for:)`` knows it; where no layer has the key and nobody has asked for
  ///   it; where it cannot be written.
  public func setOverride(text: String, for key: String) throws(ConfigurationError) {
    let name = ConfigurationName(key)
    guard !store.askedTypes(of: name).own.isEmpty || template(of: name) != nil else {
      throw ConfigurationError(
        .unknownKey, "no layer has the key, and nobody has asked for it", key: key)
    }
    var expected = ""
    for value in Self.readings(of: text) {
      guard let refused = try expectation(of: name, against: value) else {
        return try files.setOverride(value, for: name)
      }
      expected = refused
    }
    throw refusal(expected, got: "another text", for: key)
  }

  /// Removes an override, so that the other layers count again.
  ///
  /// - Throws: ``ConfigurationError`` where that cannot be written; the override then stays.
  public func removeOverride(for key: String) throws(ConfigurationError) {
    try files.setOverride(nil, for: ConfigurationName(key))
  }

  // MARK: Types

  /// What the key has to be, where a value is not that.
  private func expectation(
    of name: ConfigurationName, against value: PropertyList.Value
  ) throws(ConfigurationError) -> String? {
    var layers = store.current.layers
    layers.overrides = try files.overrides(with: value, for: name)
    let asked = store.askedTypes(of: name)
    for (name, types) in [(name, asked.own)] + asked.inner {
      for type in types {
        if let type = type as? any Decodable.Type, isWrong(type, name, in: layers) {
          return Self.name(of: type)
        }
      }
    }
    if asked.own.isEmpty, let template = template(of: name), !value.isLike(template) {
      return template.kind
    }
    return nil
  }

  /// Whether what a name has, or something in it, is not of a type; what is missing is not wrong.
  private func isWrong<Value: Decodable>(
    _ type: Value.Type, _ name: ConfigurationName, in layers: ConfigurationLayers
  ) -> Bool {
    let session = DecodingSession(layers, store.secrets, overridesFile: nil)
    do throws(ConfigurationErrors) {
      _ = try session.decode(type, from: .name(name))
      return false
    } catch {
      return error.all.contains { $0.code == .wrongType }
    }
  }

  /// A type without the question whether there is a value.
  private static func name(of type: Any.Type) -> String {
    (type as? any OptionalType.Type).map { name(of: $0.wrapped) } ?? "\(type)"
  }

  /// What the file has for a key.
  private func template(of name: ConfigurationName) -> PropertyList.Value? {
    store.current.layers.all(name).lazy.compactMap { found in
      if case .value(let value) = found.content, found.layer != .overrides { value } else { nil }
    }.first
  }

  // The value is not repeated: it may be secret, or have a secret in it.
  private func refusal(_ expected: String, got: String, for key: String) -> ConfigurationError {
    ConfigurationError(
      .wrongType, "expected \(expected), got \(got); the override was not made", key: key)
  }

  /// What a text can be, what says most first.
  private static func readings(of text: String) -> [PropertyList.Value] {
    var readings = scalars(of: text)
    if let json = try? JSON.Value(parsing: text), let nested = ConfigurationFormat.value(json),
      nested.isCollection
    {
      readings.append(nested)
    }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    // All elements as one kind.
    let columns = parts.map(scalars)
    readings += [.array(parts.map { .string($0) })]
    readings += (columns.map(\.count).min().map { 0..<$0 } ?? 0..<0).map { index in
      .array(columns.map { $0[index] })
    }
    return readings
  }

  private static func scalars(of text: String) -> [PropertyList.Value] {
    var readings: [PropertyList.Value] = []
    if let number = Int64(text) { readings.append(.integer(number)) }
    if let number = UInt64(text), number > Int64.max { readings.append(.unsigned(number)) }
    if let number = Double(text) { readings.append(.real(number)) }
    if let isSo = Bool(configured: text) { readings.append(.boolean(isSo)) }
    if let date = Date(configured: text) { readings.append(.date(date)) }
    readings.append(.string(text))
    if let data = Data(configured: text) { readings.append(.data(data)) }
    return readings
  }
}

extension PropertyList.Value {
  /// Whether it can stand where another stands: a whole number is also a real one.
  fileprivate func isLike(_ other: PropertyList.Value) -> Bool {
    switch (self, other) {
    case (.integer, .real), (.unsigned, .real): true
    case (.array(let own), .array(let others)):
      others.first.map { other in own.allSatisfy { $0.isLike(other) } } ?? true
    case (.dictionary(let own), .dictionary(let others)):
      own.allSatisfy { key, value in others[key].map(value.isLike) ?? true }
    default: kind == other.kind
    }
  }
}

private protocol OptionalType {
  static var wrapped: Any.Type { get }
}
extension Optional: OptionalType {
  static var wrapped: Any.Type { Wrapped.self }
}
#endif
