import KeepsakeCoding

extension SettingsStore {
  /// A step that migrates an app's settings to a newer version.
  public struct Migration: Sendable {
    /// The version after the step.
    public let version: Int
    /// Changes the settings.
    public let migrate: @Sendable (inout SettingsStore.Transaction) throws -> Void

    /// Creates a step to a version; versions start at 1.
    public init(
      to version: Int,
      _ migrate: @escaping @Sendable (inout SettingsStore.Transaction) throws -> Void
    ) {
      self.version = version
      self.migrate = migrate
    }
  }
}

extension SettingsStore {
  /// The key of the settings' version.
  static let versionName = SettingsName("KeepsakeSettingsVersion")
  /// How the keys of imports' dates begin: each has its own, since several machines may share them.
  private static let imports = "KeepsakeSettingsImports."

  /// The key of the date of an import.
  static func importName(_ name: String) -> SettingsName { SettingsName(imports + name) }

  /// Whether a setting says what was done to the settings: it is neither reset nor imported.
  static func isReserved(_ name: SettingsName) -> Bool {
    name == versionName || name.string.hasPrefix(imports)
  }

  /// Migrates the settings to the newest version: runs all missing steps in order, in one
  /// transaction.
  ///
  /// The version is stored in the settings, under the key `KeepsakeSettingsVersion`.
  ///
  /// - Throws: Errors of the steps; ``SettingsError`` if the settings' version is newer than every
  ///   step's, or they cannot be written. The settings are then unchanged.
  public func migrate(_ migrations: [SettingsStore.Migration]) throws {
    let name = Self.versionName
    let newest = migrations.map(\.version).max() ?? 0
    if try version(in: app.value(of: name).value) == newest { return }
    try transaction { settings in
      let current = try version(in: settings[own: name])
      if current > newest {
        throw SettingsError(
          .newerVersion,
          "the settings have version \(current), and this app supports versions up to \(newest)",
          effect: "nothing was changed; update the app", file: app.path)
      }
      for migration in migrations.sorted(by: { $0.version < $1.version })
      where migration.version > current {
        try migration.migrate(&settings)
      }
      settings[own: name] = .integer(Int64(newest))
    }

    // Only the app's own settings count: a suite has its own version.
    func version(in stored: PropertyList.Value?) throws(SettingsError) -> Int {
      guard let stored else { return 0 }
      guard let version = Int(propertyList: stored) else {
        throw SettingsError(
          .wrongType, "the settings' version is not a whole number",
          effect: "nothing was changed",
          key: name.string,
          file: app.path)
      }
      return version
    }
  }
}
