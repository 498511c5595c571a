import Keepsake

/// Settings as an app declares them.
struct AppSettings {
  @AppStorage var number: Int

  init(store: SettingsStore) {
    _number = AppStorage(wrappedValue: 0, Fixture.numberKey, store: store)
  }
}
