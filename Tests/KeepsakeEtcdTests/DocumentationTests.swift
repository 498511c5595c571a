import KeepsakeEtcd
import KeepsakeScenes
import KeepsakeTestSupport
import Testing

#if Configuration
import Configuration
import KeepsakeConfiguration
#endif

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

private enum Units: String, Codable, Sendable {
  case metric, imperial
}

extension SettingsKey where Value == Units {
  fileprivate static var units: Self { SettingsKey("units", default: .metric) }
}

extension SettingsKey where Value == Int {
  fileprivate static var seats: Self { SettingsKey("seats", default: 0) }
}

extension SettingsKey where Value == String {
  fileprivate static var draft: Self { SettingsKey("draft", default: "") }
}

private struct SoldOut: Error {}

private struct Card: Codable, Identifiable, Sendable {
  var id = UUID()
  var title: String
  var picture: Asset?
}

@Suite(
  "The article about several machines", .timeLimit(.minutes(2)), .enabled(if: Cluster.hasEtcd))
struct DocumentationTests {
  @Test("has snippets that are compiled here")
  func snippets() throws {
    #expect(try linesOfSnippets(inArticle: "SeveralMachines", missingFrom: #filePath) == [])
  }

  @Test("does what its snippets say")
  func example() async throws {
    let cluster = try Cluster("--only", "etcd")
    let endpoints = cluster.etcd
    try await withTemporaryDirectory { directory in
      func container(_ name: String) -> AppContainer {
        AppContainer(root: directory.appending(name), identifier: "com.example.small")
      }
      let other = try SettingsStore(
        container: container("b"), arguments: [], sync: .etcd(endpoints, namespace: "hiitfit"))
      try await other.transaction(.everywhere) { $0[.seats] = 2 }

      let (container, otherContainer) = (container("a"), container("b"))
      // swift-format-ignore
      let store = try SettingsStore(container: container, sync: .etcd(endpoints, namespace: "hiitfit"))
      store[.units] = .imperial

      // Returns when the engine has all changes so far, on the disks of a majority of its nodes.
      try await store.synchronize(.everywhere)

      // One winner among all machines: the body reads what the engine has.
      let left = try await store.transaction(.everywhere) { settings in
        guard settings[.seats] > 0 else { throw SoldOut() }
        settings[.seats] -= 1
        return settings[.seats]
      }
      #expect(left == 1)

      var shown: [String] = []
      func show(_ text: String, _ error: SyncError?) { shown.append(text) }
      for await status in store.syncStatus {
        switch status.state {
        case .offline(let error): show("offline: \(status.waitingCount) to send", error)
        case .catchingUp: show("catching up", nil)
        case .current: show("up to date", nil)
        }
        if status.state == .current { break }
      }
      #expect(shown.last == "up to date")
      // swift-format-ignore
      let cards = try DocumentStore<Card>(
        directory: container.documents, pathExtension: "rwcard",
        sync: .etcd(endpoints, namespace: "hiitfit-cards"),
        onConflict: { conflict in
          // If one value conflicts, mine wins; if several do, both are kept, mine as a copy.
          conflict.overlaps.count == 1 ? .merge : .keepBoth
        })
      try cards.create(Card(title: "Picnic"))
      try await cards.synchronize(.everywhere)
      let picture: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(repeating: 7, count: 1_000_000)
      try cards.create(Card(title: "Map", picture: try cards.addAsset(picture)))
      let others = try DocumentStore<Card>(
        directory: otherContainer.documents, pathExtension: "rwcard",
        sync: .etcd(endpoints, namespace: "hiitfit-cards"))
      var found: [String: Card] = [:]
      while found.count < 2 {
        for id in try others.ids() {
          let card = try others.load(id)
          found[card.title] = card
        }
        try await Task.sleep(for: .milliseconds(10))
      }
      #expect(try others.asset(try #require(found["Map"]?.picture)) == picture)
      for await units in other.values(of: .units) where units == .imperial { break }
      for await seats in other.values(of: .seats) where seats == 1 { break }
    }
  }

  // swift-format-ignore
  private func openSecurely(_ container: AppContainer, _ password: String) throws -> SettingsStore {
    var cluster = EtcdCluster(endpoints: ["https://etcd1:2379", "https://etcd2:2379"])
    cluster.authorities = "/etc/etcd/authority.pem"
    cluster.credentials = EtcdCluster.Credentials(user: "hiitfit", password: password)
    let store = try SettingsStore(container: container, sync: .etcd(cluster, namespace: "hiitfit"))
    return store
  }

  @Test("also for windows, and for what operators set")
  func windowsAndConfiguration() async throws {
    let cluster = try Cluster("--only", "etcd")
    let endpoints = cluster.etcd
    try await withTemporaryDirectory { directory in
      func container(_ name: String) -> AppContainer {
        AppContainer(root: directory.appending(name), identifier: "com.example.small")
      }
      let others = try SceneSessions(container: container("b")).session(id: "planner")
      try others.store.share(through: .etcd(endpoints, namespace: "hiitfit-planner"))
      others.store[.draft] = "Squats on Monday"
      try await others.store.synchronize(.everywhere)
      let container = container("a")
      let sessions = try SceneSessions(container: container)

      // This window continues with what it had on other machines.
      let window = try sessions.session(id: "planner")
      try window.store.share(through: .etcd(endpoints, namespace: "hiitfit-planner"))
      for await draft in window.store.values(of: .draft) where draft == "Squats on Monday" { break }
      window.store[.draft] = "Squats"
      for await draft in others.store.values(of: .draft) where draft == "Squats" { break }
      #if Configuration
      // swift-format-ignore
      do {
        // What an operator has set for all servers, unless a server's environment says otherwise.
        let limits = try SettingsStore(
          container: container, suite: "limits", sync: .etcd(endpoints, namespace: "hiitfit-limits"))
        let config = ConfigReader(providers: [EnvironmentVariablesProvider(), limits.configProvider])
        let operators = try SettingsStore(
          container: AppContainer(root: directory.appending("c"), identifier: "com.example.small"), arguments: [],
          sync: .etcd(endpoints, namespace: "hiitfit-limits"))
        operators[SettingsKey("http.timeout", default: 0)] = 30
        try await config.watchInt(forKey: "http.timeout", default: 5) { updates in
          for await timeout in updates where timeout == 30 { break }
        }
      }
      #endif
    }
  }
}
