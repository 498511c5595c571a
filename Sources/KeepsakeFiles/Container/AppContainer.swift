public import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The directories that belong to one app.
///
/// Each is created when something is first stored in it, accessible only to its owner (0700).
public struct AppContainer: Hashable, Sendable {
  /// A string that identifies the app among all apps, such as `com.example.HIITFit`.
  public let identifier: String
  /// The documents that the user created with the app.
  public let documents: FilePath
  /// The app's settings.
  public let preferences: FilePath
  /// Files that the app stores for its own use.
  public let applicationSupport: FilePath
  /// The saved state of the app's windows.
  public let savedState: FilePath
  /// Files that can be created again at any time.
  public let caches: FilePath
  /// Files that are not needed after the process exits.
  public let temporary: FilePath
  /// The property list of the settings that all apps of the user share; no app or suite can have a
  /// file of this name.
  public let globalPreferences: FilePath
  /// The property list of the settings of this app that an administrator set.
  public let managedPreferences: FilePath

  /// Creates the directories of an app at the platform's standard locations.
  ///
  /// On Linux they follow the XDG Base Directory Specification 0.8, whose variables are used if they
  /// contain an absolute path; on Apple's platforms they are the user's `Library` directories.
  ///
  /// - Parameters:
  ///   - identifier: A string that identifies the app among all apps. Characters that cannot be in a
  ///     file name are percent-encoded (``FileName``).
  ///   - environment: The environment variables; the process's own by default.
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

  /// Creates the directories of an app below one directory, with the layout of an app's sandbox.
  ///
  /// The settings that all apps share are in `Library/Preferences/.GlobalPreferences.plist`: no app's
  /// file name begins with a dot (``FileName``).
  ///
  /// - Parameters:
  ///   - root: The directory that contains all the others.
  ///   - identifier: A string that identifies the app among all apps.
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

  /// The property list that contains the settings of this app, or of a suite.
  public func preferencesFile(suite: String? = nil) -> FilePath {
    #if !canImport(Darwin)
    if let suite, preferences.lastComponent?.string == FileName(escaping: identifier).string {
      // Each app has its own directory; a suite uses the directory of the app of that name.
      return preferences.removingLastComponent().appending(escaping: suite)
        .appending(escaping: suite, extension: "plist")
    }
    #endif
    return preferences.appending(escaping: suite ?? identifier, extension: "plist")
  }
}
