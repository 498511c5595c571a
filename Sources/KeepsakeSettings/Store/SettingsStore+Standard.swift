import KeepsakeBase
import KeepsakeFiles

extension SettingsStore {
  /// The settings of the running app.
  ///
  /// They are opened on first use, in the container `AppContainer.main`. If they cannot be read,
  /// the error is logged, reads return defaults, and writes fail.
  public static var standard: SettingsStore {
    if let override { return override }
    return opened.withLock { opened in
      if let opened { return opened }
      let container = AppContainer.main
      let store: SettingsStore
      do throws(SettingsError) {
        store = try SettingsStore(container: container)
      } catch {
        log(error)
        store = .unavailable(error, container: container)
      }
      opened = store
      return store
    }
  }

  /// Replaces the standard settings for a closure and all tasks that it starts.
  ///
  /// A property wrapper uses the settings that were standard when it was created.
  public static func withStandard<Result>(
    _ store: SettingsStore, _ body: () throws -> Result
  ) rethrows -> Result {
    try $override.withValue(store, operation: body)
  }

  /// Replaces the standard settings for a closure and all tasks that it starts.
  public static func withStandard<Result>(
    _ store: SettingsStore, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await $override.withValue(store, operation: body)
  }

  @TaskLocal private static var override: SettingsStore?
  private static let opened = Mutex<SettingsStore?>(nil)
}
