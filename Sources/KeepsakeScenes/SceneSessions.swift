import KeepsakeBase
public import KeepsakeFiles
public import KeepsakeSettings
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The windows of an app: those that are shown, and those that were shown when it last ran.
///
/// Each session is a property list of its own in `AppContainer.savedState`, with the order in which
/// sessions came kept beside them.
public final class SceneSessions: Sendable {
  private let container: AppContainer
  private let fileSystem: any FileSystem
  private let isAutomatic: Bool
  private weak let host: (any SceneHost)?
  /// The identities of all sessions, in the order in which they came.
  private let index: SettingsStore
  private let open = Mutex<[String: SceneSession]>([:])
  private let onProblem: (@Sendable (SettingsError) -> Void)?
  /// The sessions that cannot be opened, each of which is reported once.
  private let missing = Mutex<Set<String>>([])

  private static let order = SettingsKey("sessions", default: [String]())

  /// Opens the windows that an app's last run left.
  ///
  /// - Parameters:
  ///   - container: The app's directories.
  ///   - fileSystem: Where the directories are.
  ///   - host: Notified when a window must be shown again, or is gone.
  ///   - onProblem: Receives each error that no call throws, one at a time, on a thread that holds no lock: of a
  ///     session that cannot be opened, and of the sessions' own settings. By default it is logged.
  /// - Throws: `SettingsError` where what was kept cannot be read.
  public convenience init(
    container: AppContainer = .main, fileSystem: any FileSystem = LocalFileSystem(),
    host: (any SceneHost)? = nil, onProblem: (@Sendable (SettingsError) -> Void)? = nil
  ) throws(SettingsError) {
    try self.init(
      container: container, fileSystem: fileSystem, host: host, isAutomatic: true,
      onProblem: onProblem)
  }

  package init(
    container: AppContainer, fileSystem: any FileSystem, host: (any SceneHost)?, isAutomatic: Bool,
    onProblem: (@Sendable (SettingsError) -> Void)? = nil
  ) throws(SettingsError) {
    self.container = container
    self.fileSystem = fileSystem
    self.host = host
    self.isAutomatic = isAutomatic
    // One for all stores, so that the handler receives one problem at a time.
    let reporter = onProblem.map { ProblemReporter($0) }
    let onProblem = reporter.map { reporter in
      { @Sendable (problem: SettingsError) in reporter.report(problem) }
    }
    self.onProblem = onProblem
    index = try SettingsStore(
      file: container.savedState.appending("Scenes.plist"), fileSystem: fileSystem,
      isAutomatic: isAutomatic, onProblem: onProblem)
  }

  /// All sessions that were not discarded, in the order in which they came.
  ///
  /// One that cannot be opened is reported and left out, and tried again when this is next read.
  ///
  /// Observation tracks which there are.
  public var sessions: [SceneSession] {
    index[Self.order].compactMap { id in
      do throws(SettingsError) {
        return try session(id: id)
      } catch {
        if missing.withLock({ $0.insert(id).inserted }) { index.report(error) }
        return nil
      }
    }
  }

  /// The session of an identity, restored or new.
  ///
  /// - Parameter id: The identity that a window kept; `nil` for a window that is new.
  /// - Throws: `SettingsError` where what the session keeps cannot be read.
  public func session(id: String? = nil) throws(SettingsError) -> SceneSession {
    // In the spelling that it was kept in, for two that Unicode holds equal are two files.
    let id = id.map { id in index[Self.order].first { $0 == id } ?? id } ?? UUID().uuidString
    let (session, isNew, wasDiscarded) = try open.withLock { (open) throws(SettingsError) in
      // One that another process discarded no longer exists, even if something still holds it.
      let known = open[id]
      if let known, !known.store.areFilesRemoved { return (known, false, false) }
      let session = SceneSession(
        id: id,
        store: try SettingsStore(
          file: file(of: id), fileSystem: fileSystem, isAutomatic: isAutomatic,
          onProblem: onProblem),
        host: host)
      open[id] = session
      return (session, true, known != nil)
    }
    // With no lock held: observers of the sessions are notified now and may read them. Where another
    // process discarded the one before, what is read here may not know of that yet.
    if isNew, wasDiscarded || !index[Self.order].contains(id) {
      do {
        try index.transaction { settings in
          if !settings[Self.order].contains(id) { settings[Self.order].append(id) }
        }
      } catch {
        open.withLock { $0[id] = nil }
        if let error = error as? SettingsError { throw error }
      }
    }
    return session
  }

  /// Removes a session permanently, with all that it stored: its window was closed by the person.
  ///
  /// A session that was discarded before is left alone, and so is a new one of the same identity.
  ///
  /// - Throws: `SettingsError` or `FileError` where it cannot be forgotten.
  public func discard(_ session: SceneSession) throws {
    let isForgotten = open.withLock { open in
      guard let known = open[session.id] else { return false }
      if known === session && !session.store.areFilesRemoved { return false }
      if known === session { open[session.id] = nil }
      return true
    }
    if isForgotten { return }
    try index.transaction { settings in
      settings[Self.order].removeAll { $0 == session.id }
    }
    open.withLock { $0[session.id] = nil }
    missing.withLock { _ = $0.remove(session.id) }
    try session.store.removeFiles()
    host?.discard(session)
  }

  private func file(of id: String) -> FilePath {
    container.savedState.appending("Scenes").appending(escaping: id, extension: "plist")
  }
}
