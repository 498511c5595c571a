import KeepsakeCoding

/// A step from one version of an app's settings to the next.
public struct SettingsMigration: Sendable {
  /// The version that the step leads to.
  public let version: Int
  /// Makes the step.
  public let migrate: @Sendable (inout SettingsTransaction) throws -> Void

  /// A step to a version, counted from 1.
  public init(
    to version: Int, _ migrate: @escaping @Sendable (inout SettingsTransaction) throws -> Void
  ) {
    self.version = version
    self.migrate = migrate
  }
}

extension SettingsStore {
  /// Brings the settings to the newest version: every step that was not made yet, in order, all of
  /// them or none.
  ///
  /// The version is kept in the settings themselves, by the key `KeepsakeSettingsVersion`.
  ///
  /// - Throws: What a step throws, and ``SettingsError`` where the settings are of a version newer than
  ///   every step, or cannot be written; nothing is changed then.
  public func migrate(_ migrations: [SettingsMigration]) throws {
    let name = "KeepsakeSettingsVersion"
    let newest = migrations.map(\.version).max() ?? 0
    if try version(in: app.value(of: SettingsName(name)).value) == newest { return }
    try transaction { settings in
      let current = try version(in: settings[own: name])
      if current > newest {
        throw SettingsError(
          .newerVersion,
          "the settings are of version \(current), and \(newest) is the newest known here",
          file: app.path)
      }
      for migration in migrations.sorted(by: { $0.version < $1.version })
      where migration.version > current {
        try migration.migrate(&settings)
      }
      settings[own: name] = .integer(Int64(newest))
    }

    // The app's own, and no suite's, which has a version of its own.
    func version(in stored: PropertyList.Value?) throws(SettingsError) -> Int {
      guard let stored else { return 0 }
      guard let version = Int(propertyList: stored) else {
        throw SettingsError(
          .wrongType, "the version of the settings cannot be read; nothing was changed", key: name,
          file: app.path)
      }
      return version
    }
  }
}
