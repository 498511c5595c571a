public import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The directories that belong to one app.
///
/// They are made when something is first kept in them, for their owner alone (0700).
public struct AppContainer: Hashable, Sendable {
  /// What the app is called among all apps, such as `com.example.HIITFit`.
  public let identifier: String
  /// What the user made with the app.
  public let documents: FilePath
  /// The app's settings.
  public let preferences: FilePath
  /// What the app keeps for its own use.
  public let applicationSupport: FilePath
  /// What the app's windows showed.
  public let savedState: FilePath
  /// What can be made again at any time.
  public let caches: FilePath
  /// What need not outlive the process.
  public let temporary: FilePath
  /// Settings shared by all apps of the user: the property list of that name, which is no app's and
  /// no suite's, whatever they are called.
  public let globalPreferences: FilePath
  /// Settings of this app that an administrator decided: the property list of that name.
  public let managedPreferences: FilePath

  /// The directories of an app where the platform wants them.
  ///
  /// On Linux they follow the XDG Base Directory Specification 0.8, whose variables count where
  /// they hold an absolute path; on Apple's platforms they are the user's `Library` directories.
  ///
  /// - Parameters:
  ///   - identifier: What the app is called among all apps. Any string is taken; what cannot stand
  ///     in a file's name is percent-encoded (``FileName``).
  ///   - environment: The variables to go by; the process's own by default.
  public init(identifier: String, environment: [String: String]? = nil) {
    let environment = environment ?? ProcessInfo.processInfo.environment
    let name = FileName(escaping: identifier).string
    func directory(_ variable: String, else fallback: FilePath) -> FilePath {
      guard let value = environment[variable], value.hasPrefix("/") else { return fallback }
      return FilePath(value)
    }
    let home = directory("HOME", else: "/")
    #if canImport(Darwin)
    let library = home.appending("Library")
    self.init(
      identifier: identifier,
      documents: home.appending("Documents"),
      preferences: library.appending("Preferences"),
      applicationSupport: library.appending("Application Support").appending(name),
      savedState: library.appending("Saved Application State").appending("\(name).savedState"),
      caches: library.appending("Caches").appending(name),
      temporary: directory("TMPDIR", else: "/tmp").appending(name),
      globalPreferences: library.appending("Preferences/.KeepsakeGlobalPreferences.plist"),
      managedPreferences: FilePath("/Library/Managed Preferences").appending("\(name).plist"))
    #else
    let configuration = directory("XDG_CONFIG_HOME", else: home.appending(".config"))
    let data = directory("XDG_DATA_HOME", else: home.appending(".local/share"))
    let state = directory("XDG_STATE_HOME", else: home.appending(".local/state"))
    let caches = directory("XDG_CACHE_HOME", else: home.appending(".cache"))
    self.init(
      identifier: identifier,
      documents: data.appending(name).appending("Documents"),
      preferences: configuration.appending(name),
      applicationSupport: data.appending(name),
      savedState: state.appending(name),
      caches: caches.appending(name),
      temporary: caches.appending(name).appending("Temporary"),
      globalPreferences: configuration.appending("keepsake/GlobalPreferences.plist"),
      managedPreferences: FilePath("/etc/xdg").appending(name).appending("\(name).plist"))
    #endif
  }

  /// The directories of an app under one directory, laid out as in an app's sandbox.
  ///
  /// The settings shared by all apps stand in `Library/Preferences/.GlobalPreferences.plist`: no
  /// app's file begins with a dot (``FileName``).
  ///
  /// - Parameters:
  ///   - root: The directory that holds all the others.
  ///   - identifier: What the app is called among all apps.
  public init(root: FilePath, identifier: String) {
    let name = FileName(escaping: identifier).string
    let library = root.appending("Library")
    self.init(
      identifier: identifier,
      documents: root.appending("Documents"),
      preferences: library.appending("Preferences"),
      applicationSupport: library.appending("Application Support"),
      savedState: library.appending("Saved Application State"),
      caches: library.appending("Caches"),
      temporary: root.appending("tmp"),
      globalPreferences: library.appending("Preferences/.GlobalPreferences.plist"),
      managedPreferences: library.appending("Managed Preferences").appending("\(name).plist"))
  }

  private init(
    identifier: String, documents: FilePath, preferences: FilePath, applicationSupport: FilePath,
    savedState: FilePath, caches: FilePath, temporary: FilePath, globalPreferences: FilePath,
    managedPreferences: FilePath
  ) {
    self.identifier = identifier
    self.documents = documents
    self.preferences = preferences
    self.applicationSupport = applicationSupport
    self.savedState = savedState
    self.caches = caches
    self.temporary = temporary
    self.globalPreferences = globalPreferences
    self.managedPreferences = managedPreferences
  }

  /// The property list that holds the settings of this app, or of a suite of that name.
  public func preferencesFile(suite: String? = nil) -> FilePath {
    #if !canImport(Darwin)
    if let suite, preferences.lastComponent?.string == FileName(escaping: identifier).string {
      // Each app has a directory of its own; a suite is the app of that name.
      return preferences.removingLastComponent().appending(escaping: suite)
        .appending(escaping: suite, extension: "plist")
    }
    #endif
    return preferences.appending(escaping: suite ?? identifier, extension: "plist")
  }
}
