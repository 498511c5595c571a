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
  /// Whether the preferences directory is this app's alone, so that a suite has another one.
  private let ownsPreferences: Bool

  /// Creates the directories of an app at the platform's standard locations.
  ///
  /// On Linux they follow the XDG Base Directory Specification 0.8; on Apple's platforms they are
  /// the user's `Library` directories. In a service of systemd, `STATE_DIRECTORY` takes precedence
  /// over the XDG variables and contains all but caches, which are in `CACHE_DIRECTORY`;
  /// `CONFIGURATION_DIRECTORY` contains the administrator's settings (systemd.exec(5)). A variable
  /// is used only if it contains an absolute path. Without `HOME`, the home directory is that of the
  /// user database (getpwuid_r(3)).
  ///
  /// - Parameters:
  ///   - identifier: A string that identifies the app among all apps. Characters that cannot be in a
  ///     file name are percent-encoded (RFC 3986).
  ///   - environment: The environment variables; the process's own by default.
  public init(identifier: String, environment: [String: String]? = nil) {
    let environment = environment ?? ProcessInfo.processInfo.environment
    let name = FileName(escaping: identifier).string
    func directory(_ variable: String) -> FilePath? {
      guard let value = environment[variable], value.hasPrefix("/") else { return nil }
      return FilePath(value)
    }
    let home = HomeDirectory.find(in: environment) ?? "/"
    #if canImport(Darwin)
    let library = home.appending("Library")
    self.init(
      identifier: identifier,
      documents: home.appending("Documents"),
      preferences: library.appending("Preferences"),
      applicationSupport: library.appending("Application Support").appending(name),
      savedState: library.appending("Saved Application State").appending("\(name).savedState"),
      caches: library.appending("Caches").appending(name),
      temporary: (directory("TMPDIR") ?? "/tmp").appending(name),
      globalPreferences: library.appending("Preferences/.KeepsakeGlobalPreferences.plist"),
      managedPreferences: FilePath("/Library/Managed Preferences").appending("\(name).plist"))
    #else
    /// The first of the directories that systemd creates for a service.
    func serviceDirectory(_ variable: String) -> FilePath? {
      guard let value = environment[variable]?.split(separator: ":").first, value.hasPrefix("/")
      else { return nil }
      return FilePath(String(value))
    }
    let managed =
      serviceDirectory("CONFIGURATION_DIRECTORY") ?? FilePath("/etc/xdg").appending(name)
    let managedPreferences = managed.appending("\(name).plist")
    let caches =
      serviceDirectory("CACHE_DIRECTORY")
      ?? (directory("XDG_CACHE_HOME") ?? home.appending(".cache")).appending(name)
    if let state = serviceDirectory("STATE_DIRECTORY") {
      self.init(
        identifier: identifier,
        documents: state.appending("Documents"),
        preferences: state,
        applicationSupport: state.appending("Application Support"),
        savedState: state.appending("Saved Application State"),
        caches: caches,
        temporary: caches.appending("Temporary"),
        globalPreferences: state.appending(".GlobalPreferences.plist"),
        managedPreferences: managedPreferences)
      return
    }
    let configuration = directory("XDG_CONFIG_HOME") ?? home.appending(".config")
    let data = (directory("XDG_DATA_HOME") ?? home.appending(".local/share")).appending(name)
    let state = directory("XDG_STATE_HOME") ?? home.appending(".local/state")
    self.init(
      identifier: identifier,
      documents: data.appending("Documents"),
      preferences: configuration.appending(name),
      applicationSupport: data,
      savedState: state.appending(name),
      caches: caches,
      temporary: caches.appending("Temporary"),
      globalPreferences: configuration.appending("keepsake/GlobalPreferences.plist"),
      managedPreferences: managedPreferences,
      ownsPreferences: true)
    #endif
  }

  /// Creates the directories of an app below one directory, with the layout of an app's sandbox.
  ///
  /// The settings that all apps share are in `Library/Preferences/.GlobalPreferences.plist`: no app's
  /// file name begins with a dot.
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
    managedPreferences: FilePath, ownsPreferences: Bool = false
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
    self.ownsPreferences = ownsPreferences
  }

  /// The property list that contains the settings of this app, or of a suite.
  public func preferencesFile(suite: String? = nil) -> FilePath {
    if let suite, ownsPreferences {
      // A suite uses the directory of the app of that name.
      return preferences.removingLastComponent().appending(escaping: suite)
        .appending(escaping: suite, extension: "plist")
    }
    return preferences.appending(escaping: suite ?? identifier, extension: "plist")
  }
}
