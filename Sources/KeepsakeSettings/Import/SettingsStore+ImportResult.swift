public import SystemPackage

extension SettingsStore {
  /// What an import did.
  public struct ImportResult: Sendable, Equatable {
    /// How an import ended.
    @nonexhaustive public enum Outcome: Sendable, Equatable {
      /// The settings were imported, and are not imported again.
      case imported
      /// They were imported before, and nothing was changed.
      case importedBefore
      /// The file does not exist, and nothing was changed; the next call looks for it again.
      case notFound
    }

    /// A setting that was not imported.
    public struct Skipped: Sendable, Equatable {
      /// Why a setting was not imported.
      @nonexhaustive public enum Reason: String, Sendable {
        /// The store already has a value for the key, which was kept.
        case alreadySet = "already set"
        /// The key belongs to the operating system or to this library, not to the app.
        case notOfApp = "not a setting of the app"
        /// The value is null.
        case null = "null"
        /// Another setting has the same new name.
        case sameName = "another setting has the same new name"
      }

      /// The key in the file.
      public let key: String
      /// Why it was not imported.
      public let reason: Reason

      package init(key: String, reason: Reason) {
        self.key = key
        self.reason = reason
      }
    }

    /// How the import ended.
    public let outcome: Outcome
    /// The keys of the new settings in the store, sorted.
    public let keys: [String]
    /// The settings that were not imported, sorted by key.
    public let skipped: [Skipped]
    /// The file that was read, if there is one.
    public let file: FilePath?
  }
}
