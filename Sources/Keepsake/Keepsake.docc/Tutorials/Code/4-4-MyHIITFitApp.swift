import Stage

@main
struct MyHIITFitApp: App {
  init() {
    do {
      try SettingsStore.standard.migrate([
        SettingsStore.Migration(to: 1) { settings in
          let old = SettingsKey<Int?>("rating")
          guard let rating = settings[old] else { return }
          settings[SettingsKey("ratings", default: [String: Int]())]["Squat"] = rating
          settings.remove(old)
        }
      ])
    } catch {
      print(error)
    }
  }

  var body: some Scene {
    WindowGroup {
      ContentView()
    }
  }
}
