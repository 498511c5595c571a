#if Configuration
public import KeepsakeCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension EnvironmentConfiguration {
  /// The values that were set while a program ran, by key.
  public var overrides: [String: PropertyList.Value] { files.currentOverrides }

  /// Sets a value that takes precedence over all other layers.
  ///
  /// If the overrides have a file, the value survives a power cut after this returns, and other processes
  /// that use the file receive it.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key.
  /// - Throws: ``ConfigurationError`` if the value does not have every type that was requested for the
  ///   key or, if none was, the kind of the value in another layer; if it cannot be written. Nothing
  ///   has changed then, unless its cause says that the new value was written.
  public func setOverride(
    _ value: PropertyList.Value, for key: String
  ) throws(ConfigurationError) {
    let name = ConfigurationName(key)
    if let expected = try expectation(of: name, against: value) {
      throw refusal(expected, got: value.kind, for: key)
    }
    try files.setOverride(value, for: name)
  }

  /// Sets a value that takes precedence over all other layers, from a text.
  ///
  /// - Parameters:
  ///   - text: The value as text: a number, a Boolean, a date (ISO 8601), data (Base64), an array
  ///     with commas, or JSON for nested values.
  ///   - key: The key.
  /// - Throws: ``ConfigurationError`` if the text is not a value of the key's type, as in
  ///   ``setOverride(_:for:)``; if no layer has the key and it was never requested; if the value
  ///   cannot be written.
  public func setOverride(text: String, for key: String) throws(ConfigurationError) {
    let name = ConfigurationName(key)
    guard !store.requestedTypes(of: name).own.isEmpty || template(of: name) != nil else {
      throw ConfigurationError(
        .unknownKey, "no layer has the key, and the app has not requested it", key: key)
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

  /// Removes an override, so that the other layers are in effect again.
  ///
  /// - Parameter key: The key.
  /// - Throws: ``ConfigurationError`` if the change cannot be written; the override then remains.
  public func removeOverride(for key: String) throws(ConfigurationError) {
    try files.setOverride(nil, for: ConfigurationName(key))
  }

  // MARK: Types

  /// The type that a value should have, or `nil` if it has it.
  private func expectation(
    of name: ConfigurationName, against value: PropertyList.Value
  ) throws(ConfigurationError) -> String? {
    var layers = store.current.layers
    layers.overrides = try files.overrides(with: value, for: name)
    let requested = store.requestedTypes(of: name)
    for (name, types) in [(name, requested.own)] + requested.inner {
      for type in types {
        if let type = type as? any Decodable.Type, typeError(type, name, in: layers) != nil {
          return Self.name(of: type)
        }
      }
    }
    if requested.own.isEmpty, let template = template(of: name), !value.canReplace(template) {
      return template.kind
    }
    return nil
  }

  /// The name of a type, without `Optional`.
  private static func name(of type: Any.Type) -> String {
    (type as? any OptionalType.Type).map { name(of: $0.wrapped) } ?? "\(type)"
  }

  /// The value of a key in the file.
  private func template(of name: ConfigurationName) -> PropertyList.Value? {
    store.current.layers.all(name).lazy.compactMap { found in
      if case .value(let value) = found.content, found.layer != .overrides { value } else { nil }
    }.first
  }

  // The value is omitted, because it may be or contain a secret.
  private func refusal(_ expected: String, got: String, for key: String) -> ConfigurationError {
    ConfigurationError(
      .wrongType, "expected \(expected), got \(got)", effect: "the override was not made", key: key)
  }

  /// The values that a text can represent, the most specific first.
  private static func readings(of text: String) -> [PropertyList.Value] {
    var readings = scalars(of: text)
    if let json = try? JSON.Value(parsing: text), let nested = PropertyList.Value(json),
      nested.isCollection
    {
      readings.append(nested)
    }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    // All elements have the same kind.
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
    if let boolean = Bool(configured: text) { readings.append(.boolean(boolean)) }
    if let date = Date(configured: text) { readings.append(.date(date)) }
    readings.append(.string(text))
    if let data = Data(configured: text) { readings.append(.data(data)) }
    return readings
  }
}

extension PropertyList.Value {
  /// Whether this value can replace another: a whole number can replace a real number.
  fileprivate func canReplace(_ other: PropertyList.Value) -> Bool {
    switch (self, other) {
    case (.integer, .real), (.unsigned, .real): true
    case (.array(let own), .array(let others)):
      others.first.map { other in own.allSatisfy { $0.canReplace(other) } } ?? true
    case (.dictionary(let own), .dictionary(let others)):
      own.allSatisfy { key, value in others[key].map(value.canReplace) ?? true }
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
