import Foundation
import KeepsakeEtcd
import Stage

/// HIITFit on several machines: they share the ratings, and each has its own windows and history.
@main
struct SharedHIITFitApp: App {
  @StateObject private var history = HistoryStore()
  @StateObject private var live = LiveConfiguration<HIITFitConfiguration>.opened(
    HIITFitConfiguration.file, environment: "Production")
  @StateObject private var sharing = Sharing()

  var configuration: EnvironmentConfiguration? { live.source }

  init() {
    let settings = SettingsStore.standard
    // `-etcd ADDRESS,…` on the command line.
    let endpoints = settings[SettingsKey("etcd", default: "http://127.0.0.1:2379")]
    do {
      try settings.share(
        through: .etcd(
          endpoints.split(separator: ",").map(String.init), namespace: Self.identifier))
    } catch {
      FileHandle.standardError.write(Data("The ratings cannot be shared: \(error)\n".utf8))
      exit(1)
    }
    let sharing = sharing
    Task { await sharing.follow(settings) }
  }

  var body: some Scene {
    WindowGroup {
      ContentView()
        .environmentObject(history)
        .environmentObject(live)
        .environmentObject(sharing)
    }
  }
}
