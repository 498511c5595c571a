#if !Console
public import KeepsakeFiles
public import KeepsakeScenes
public import KeepsakeSettings

/// A page that shows what an app keeps. Unavailable: the trait `Console` is off.
@available(*, unavailable, message: "Enable the trait `Console` of the package keepsake")
public struct Console {
  /// A console of an app.
  public init(
    container: AppContainer = .main, settings: SettingsStore? = nil, scenes: SceneSessions? = nil
  ) {}

  /// Serves the page where the environment asks for it.
  public static func start(
    container: AppContainer = .main, settings: SettingsStore? = nil, scenes: SceneSessions? = nil
  ) -> Task<Void, any Error>? { nil }
}
#endif
