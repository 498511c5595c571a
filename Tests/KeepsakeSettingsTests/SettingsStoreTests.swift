import KeepsakeCoding
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("Settings store on a real disk") struct SettingsStoreTests {
  @Test("A store has its values when it is opened again") func persistence() throws {
    try withTemporaryDirectory { root in
      let container = AppContainer(root: root, identifier: "com.example.Test")
      do {
        let store = try SettingsStore(container: container, arguments: [])
        store[SettingsKey("rating", default: 0)] = 4
        store[SettingsKey("name", default: "")] = "Squat"
        #expect(store[SettingsKey("rating", default: 0)] == 4)
      }
      let plist = try String(
        decoding: LocalFileSystem().readFile(at: container.preferencesFile()) ?? [], as: UTF8.self)
      #expect(plist.contains("<key>rating</key>"))
      let store = try SettingsStore(container: container, arguments: [])
      #expect(store[SettingsKey("rating", default: 0)] == 4)
      #expect(store[SettingsKey("name", default: "")] == "Squat")
    }
  }

  @Test("Two stores of the same files see each other's changes") func twoStores() async throws {
    try await withTemporaryDirectory { root in
      let container = AppContainer(root: root, identifier: "com.example.Test")
      let one = try SettingsStore(container: container, arguments: [])
      let two = try SettingsStore(container: container, arguments: [])
      let key = SettingsKey("rating", default: 0)
      let waiting = Task {
        for await value in two.values(of: key) where value == 1000 { return true }
        return false
      }
      for value in 1...1000 { try one.set(value, for: key) }
      #expect(await waiting.value)
      try await one.synchronize()
      #expect(two[key] == 1000)
    }
  }
}
