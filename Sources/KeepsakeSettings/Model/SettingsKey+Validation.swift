extension SettingsKey {
  /// The same key, which accepts only values that fulfill a requirement.
  ///
  /// ```swift
  /// static let nickname = SettingsKey("nickname", default: "anonymous")
  ///   .validated("1 to 20 letters") { $0.wholeMatch(of: /[a-z]{1,20}/) != nil }
  /// ```
  ///
  /// Another value is not set: the error has the code ``SettingsError/Code/invalid``. If another one
  /// is stored, it reads as the default and is reported.
  ///
  /// - Parameters:
  ///   - requirement: Describes the accepted values in errors.
  ///   - isValid: Returns whether a value is accepted.
  public func validated(
    _ requirement: String, by isValid: @escaping @Sendable (Value) -> Bool
  ) -> SettingsKey {
    SettingsKey(
      name: name, defaultValue: defaultValue, coding: coding.validated(requirement, by: isValid))
  }
}

extension SettingsKey where Value: Comparable {
  /// The same key, which accepts only values in a range; see ``validated(_:by:)``.
  public func validated(in range: ClosedRange<Value>) -> SettingsKey {
    validated("\(range.lowerBound) to \(range.upperBound)") { range.contains($0) }
  }
}

extension SettingsCoding {
  /// The same coding, which accepts only values that fulfill a requirement.
  func validated(
    _ requirement: String, by isValid: @escaping @Sendable (Value) -> Bool
  ) -> Self {
    let check: @Sendable (Value) throws -> Value = { value in
      if isValid(value) { return value }
      throw InvalidValue(requirement: requirement)
    }
    let (encode, decode) = (encode, decode)
    return Self(
      encode: { try encode(check($0)) }, decode: { try check(decode($0)) },
      evolution: evolution.map { evolution in
        SettingsEvolution {
          let (value, filled) = try evolution.decode($0, $1)
          return (try check(value), filled)
        } keepUnknown: {
          try evolution.keepUnknown($0, $1, $2)
        }
      })
  }
}

/// A value does not fulfill its key's requirement.
struct InvalidValue: Error, CustomStringConvertible {
  var requirement: String

  var description: String { "expected \(requirement)" }
}
