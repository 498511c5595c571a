import KeepsakeBase
public import KeepsakeSettings
public import Observation

/// One window of an app, across all the times that it is shown: its identity, its phase, and what
/// it keeps.
///
/// A session outlives the window's process, and a crash of it. It ends when the person closes the
/// window permanently (``SceneSessions/discard(_:)``); a connection that drops does not close it.
public final class SceneSession: Sendable, Identifiable, Observable {
  /// The window's identity, the same for as long as the session lives.
  public let id: String
  /// What the window keeps: its own settings.
  public let store: SettingsStore

  private let currentPhase = Mutex(ScenePhase.background)
  private let registrar = ObservationRegistrar()
  private weak let host: (any SceneHost)?

  init(id: String, store: SettingsStore, host: (any SceneHost)?) {
    self.id = id
    self.store = store
    self.host = host
  }

  /// What the window is to the person now; the host sets it.
  ///
  /// Observation tracks it, and the host is notified after each change. When the window leaves the
  /// foreground its settings are made safe against a power cut.
  public var phase: ScenePhase {
    get {
      registrar.access(self, keyPath: \.phase)
      return currentPhase.withLock { $0 }
    }
    set {
      let old = currentPhase.withLock { phase in
        defer { phase = newValue }
        return phase
      }
      if old == newValue { return }
      ObservedChanges.increment()
      registrar.withMutation(of: self, keyPath: \.phase) {}
      invalidate()
      if newValue < old {
        // A window that loses the person's attention may never come back.
        Task.detached { [store] in try? await store.synchronize() }
      }
    }
  }

  /// Asks the host to show the window again.
  func invalidate() {
    host?.invalidate(self)
  }

  /// The session of the window that is being shown, or whose event is being handled.
  ///
  /// A host sets it around everything it does for a window; tasks that are started there keep it.
  @TaskLocal public static var current: SceneSession?
}
