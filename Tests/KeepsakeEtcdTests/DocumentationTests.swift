import KeepsakeEtcd
import KeepsakeTestSupport
import Testing

private enum Units: String, Codable, Sendable {
  case metric, imperial
}

extension SettingsKey where Value == Units {
  fileprivate static var units: Self { SettingsKey("units", default: .metric) }
}

extension SettingsKey where Value == Int {
  fileprivate static var seats: Self { SettingsKey("seats", default: 0) }
}

private struct SoldOut: Error {}

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

      let container = container("a")
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
      for await units in other.values(of: .units) where units == .imperial { break }
      for await seats in other.values(of: .seats) where seats == 1 { break }
    }
  }
}
