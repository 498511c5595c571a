public import KeepsakeCoding

/// Converts values of one type to property-list values and back.
@usableFromInline
struct SettingsCoding<Value: Sendable>: Sendable {
  /// The property-list value to store; `nil` removes the stored one.
  @usableFromInline var encode: @Sendable (Value) throws -> PropertyList.Value?
  /// The value that a stored property-list value represents.
  @usableFromInline var decode: @Sendable (PropertyList.Value) throws -> Value
  /// Reads and replaces values of other versions of the type; `nil` if it has no keys.
  @usableFromInline var evolution: SettingsEvolution<Value>?

  @usableFromInline
  init(
    encode: @escaping @Sendable (Value) throws -> PropertyList.Value?,
    decode: @escaping @Sendable (PropertyList.Value) throws -> Value,
    evolution: SettingsEvolution<Value>? = nil
  ) {
    self.encode = encode
    self.decode = decode
    self.evolution = evolution
  }

  /// Encodes a value; throws if the result is nested too deeply to be read again.
  @inlinable
  func encodeChecked(_ value: Value) throws -> PropertyList.Value? {
    let stored = try encode(value)
    if let stored, stored.isTooDeep { throw Self.tooDeep }
    return stored
  }

  @usableFromInline
  static var tooDeep: any Error {
    Mismatch(description: "it is nested more than \(PropertyList.maximumDepth - 1) levels deep")
  }

  /// The stored value has another type, or a value cannot be stored.
  struct Mismatch: Error, CustomStringConvertible {
    var description: String
  }
}

extension SettingsCoding where Value: SettingsValue {
  /// The coding of a type that converts itself.
  @inlinable static var direct: Self {
    Self(encode: { $0.propertyList }) { stored in
      guard let value = Value(propertyList: stored) else { throw mismatch(stored) }
      return value
    }
  }
}

extension SettingsCoding where Value: RawRepresentable, Value.RawValue: SettingsValue {
  /// The coding of a type through its raw value.
  static var raw: Self {
    Self(encode: { $0.rawValue.propertyList }) { stored in
      guard let raw = Value.RawValue(propertyList: stored) else { throw mismatch(stored) }
      guard let value = Value(rawValue: raw) else {
        throw Mismatch(description: "\(Value.self) has no value '\(raw)'")
      }
      return value
    }
  }
}

extension SettingsCoding where Value: Codable {
  /// The coding of a type through its `Codable` conformance, or directly if it can be stored directly.
  ///
  /// - Parameter userInfo: What the type finds in the `userInfo` of its encoder and decoder.
  static func codable(userInfo: [CodingUserInfoKey: any Sendable] = [:]) -> Self {
    // A generic function knows only that the type is `Codable`.
    if let type = Value.self as? any SettingsValue.Type, let direct = direct(type) { return direct }
    let conversion = userInfo.isEmpty ? .plain : CodableConversion(userInfo: userInfo)
    return Self(
      encode: { try conversion.encode($0) },
      decode: { try conversion.decode(Value.self, from: $0) }, evolution: .codable(conversion))
  }

  private static func direct<Direct: SettingsValue>(_: Direct.Type) -> Self? {
    SettingsCoding<Direct>.direct as? Self
  }
}

extension SettingsCoding {
  /// The same coding for an optional; `nil` stores nothing.
  static func optional<Wrapped>(_ coding: SettingsCoding<Wrapped>) -> Self
  where Value == Wrapped? {
    Self(
      encode: { try $0.flatMap(coding.encode) }, decode: { try coding.decode($0) },
      evolution: coding.evolution.map { .optional($0) })
  }

  @usableFromInline
  static func mismatch(_ stored: PropertyList.Value) -> any Error {
    Mismatch(description: "expected \(Value.self), found \(stored.kind)")
  }
}

extension PropertyList.Value {
  /// Whether the value is nested too deeply to be stored under a key: it could be written, but not
  /// read.
  @usableFromInline
  package var isTooDeep: Bool { isDeeper(than: PropertyList.maximumDepth - 1) }

  private func isDeeper(than limit: Int) -> Bool {
    switch self {
    case .array(let values): limit == 0 || values.contains { $0.isDeeper(than: limit - 1) }
    case .dictionary(let values):
      limit == 0 || values.values.contains { $0.isDeeper(than: limit - 1) }
    default: false
    }
  }

  /// The name of the value's type in error messages.
  var kind: String {
    switch self {
    case .string: "a string"
    case .integer, .unsigned: "a whole number"
    case .real: "a number"
    case .boolean: "a Boolean"
    case .date: "a date"
    case .data: "data"
    case .array: "an array"
    case .dictionary: "a dictionary"
    }
  }
}

/// The only calls of the coders for `Codable` settings.
struct CodableConversion: Sendable {
  private let encoder = PropertyList.Encoder()
  private let decoder = PropertyList.Decoder()

  /// The conversion of keys without a `userInfo`, which share its coders.
  static let plain = CodableConversion(userInfo: [:])

  init(userInfo: [CodingUserInfoKey: any Sendable]) {
    encoder.userInfo = userInfo
    decoder.userInfo = userInfo
  }

  func encode(_ value: some Encodable) throws -> PropertyList.Value {
    try encoder.encodeToValue(value).withPlainDates
  }

  func decode<Value: Decodable>(
    _: Value.Type, from stored: PropertyList.Value
  ) throws -> Value {
    try decoder.decode(Value.self, from: stored)
  }
}

extension PropertyList.Value {
  /// The value with each date stored like a top-level date setting: as a number of seconds if it
  /// has a fraction, which other readers of the format reject.
  fileprivate var withPlainDates: Self {
    switch self {
    case .date(let date): date.propertyList ?? self
    case .array(let values) where values.contains { $0.mayHoldDate }:
      .array(values.map(\.withPlainDates))
    case .dictionary(let values) where values.values.contains { $0.mayHoldDate }:
      .dictionary(values.mapValues(\.withPlainDates))
    default: self
    }
  }

  private var mayHoldDate: Bool {
    switch self {
    case .date, .array, .dictionary: true
    default: false
    }
  }
}
