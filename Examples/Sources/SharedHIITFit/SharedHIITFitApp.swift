import Foundation
import KeepsakeEtcd
import Stage

/// HIITFit on several machines: they share the ratings, and each has its own windows and history.
///
/// HIITFit keeps all ratings in one text. So of two machines that rate while they cannot reach each other, even different
/// exercises, the one whose text is sent last counts.
@main
struct SharedHIITFitApp: App {
  @StateObject private var history = HistoryStore()
  @StateObject private var live = LiveConfiguration<HIITFitConfiguration>.opened(
    HIITFitConfiguration.file, environment: "Production")

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
    Task.detached {
      for await status in settings.syncStatus { print("Ratings: \(status.text)") }
    }
  }

  var body: some Scene {
    WindowGroup {
      ContentView()
        .environmentObject(history)
        .environmentObject(live)
    }
  }
}

extension SyncStatus {
  fileprivate var text: String {
    switch state {
    case .offline(let error):
      "offline, \(waitingCount) to be sent\(error.map { " (\($0))" } ?? "")"
    case .catchingUp: "catching up, \(waitingCount) to be sent"
    case .current: "up to date"
    }
  }
}
