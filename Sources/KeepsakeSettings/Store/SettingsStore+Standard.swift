import KeepsakeBase
import KeepsakeFiles

extension SettingsStore {
  /// The settings of the running app.
  ///
  /// They are opened when first asked for, in the container ``AppContainer/main``. Where they cannot
  /// be read, that is logged, every default counts, and nothing can be set.
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

  /// Runs a body, and all tasks it starts, with other settings as the standard ones.
  ///
  /// A property wrapper goes by the settings that were the standard ones when it was made.
  public static func withStandard<Result>(
    _ store: SettingsStore, _ body: () throws -> Result
  ) rethrows -> Result {
    try $override.withValue(store, operation: body)
  }

  /// Runs a body, and all tasks it starts, with other settings as the standard ones.
  public static func withStandard<Result>(
    _ store: SettingsStore, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await $override.withValue(store, operation: body)
  }

  @TaskLocal private static var override: SettingsStore?
  private static let opened = Mutex<SettingsStore?>(nil)
}
