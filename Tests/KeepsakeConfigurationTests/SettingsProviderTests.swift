#if Configuration
import Configuration
import ConfigurationTesting
import Foundation
import KeepsakeCoding
import KeepsakeConfiguration
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@Suite("Settings as a provider of swift-configuration", .timeLimit(.minutes(10)))
struct SettingsProviderTests {
  @Test("pass the conformance tests of swift-configuration") func conformance() async throws {
    let (magic, magic2) = (Array("magic".utf8), Array("magic2".utf8))
    let store = SettingsStore.inMemory()
    let values: [String: PropertyList.Value] = [
      "string": "Hello", "int": 42, "double": 3.14, "bool": true, "bytes": .data(Data(magic)),
      "stringy.array": ["Hello", "World"], "inty.array": [42, 24],
      "doubly.array": [3.14, 2.72], "booly.array": [true, false],
      "byteChunky.array": [.data(Data(magic)), .data(Data(magic2))],
      "other.string": "Other Hello", "other.int": 24, "other.double": 2.72, "other.bool": false,
      "other.bytes": .data(Data(magic2)), "other.stringy.array": ["Hello", "Swift"],
      "other.inty.array": [16, 32], "other.doubly.array": [0.9, 1.8],
      "other.booly.array": [false, true, true],
      "other.byteChunky.array": [.data(Data(magic)), .data(Data(magic2)), .data(Data(magic))],
    ]
    for (key, value) in values {
      try store.set(value, for: SettingsKey<PropertyList.Value?>(key))
    }
    try await ProviderCompatTest(provider: store.configProvider).runTest()
  }

  @Test("have the values of all layers, and texts as the type that is requested")
  func layers() throws {
    try withTemporaryDirectory { directory in
      let store = try SettingsStore(
        container: AppContainer(root: directory, identifier: "app"),
        arguments: ["app", "-http.port", "80", "-verbose", "yes"])
      try store.set(8080, for: SettingsKey("http.port", default: 0))
      try store.set(true, for: SettingsKey("own", default: false))
      store.register(defaults: ["timeout": 1.5, "own": false])
      let reader = ConfigReader(provider: store.configProvider)
      #expect(reader.int(forKey: "http.port") == 80)
      #expect(reader.scoped(to: "http").int(forKey: "port") == 80)
      #expect(reader.bool(forKey: "verbose") == true)
      #expect(reader.bool(forKey: "own") == true)
      #expect(reader.double(forKey: "timeout") == 1.5)
      #expect(reader.string(forKey: "missing", default: "none") == "none")
    }
  }

  @Test("are one provider among others") func reader() throws {
    let store = SettingsStore.inMemory()
    try store.set(80, for: SettingsKey("http.port", default: 0))
    let reader = ConfigReader(providers: [EnvironmentVariablesProvider(), store.configProvider])
    let port = reader.int(forKey: "http.port", default: 8080)  // the setting "http.port"
    #expect(port == 80)
  }

  @Test("with a wrong type, or that cannot be read, are errors") func errors() throws {
    let store = SettingsStore.inMemory()
    try store.set("many", for: SettingsKey("count", default: ""))
    let error = #expect(throws: SettingsError.self) {
      try store.configProvider.value(forKey: AbsoluteConfigKey(["count"]), type: .int)
    }
    #expect(error?.code == .wrongType && error?.key == "count")
    #expect(throws: SettingsError.self) {
      try store.configProvider.snapshot().value(forKey: AbsoluteConfigKey(["count"]), type: .int)
    }
    #expect(
      try store.configProvider.value(forKey: AbsoluteConfigKey(["count"]), type: .string).value?
        .content == .string("many"))
  }

  @Test("whose names look like secrets are marked as such") func secrets() throws {
    let store = SettingsStore.inMemory()
    try store.set("x", for: SettingsKey("api.token", default: ""))
    try store.set("y", for: SettingsKey("name", default: ""))
    func isSecret(_ name: String) throws -> Bool? {
      let key = AbsoluteConfigKey(name.split(separator: ".").map(String.init))
      return try store.configProvider.value(forKey: key, type: .string).value?.isSecret
    }
    #expect(try isSecret("api.token") == true)
    #expect(try isSecret("name") == false)
  }

  @Test("can be watched, with the changes of another store on the same files")
  func watching() async throws {
    try await withTemporaryDirectory { directory in
      let container = AppContainer(root: directory, identifier: "app")
      let store = try SettingsStore(container: container)
      let other = try SettingsStore(container: container)
      let count = SettingsKey("count", default: 0)
      let reader = ConfigReader(provider: store.configProvider)
      try await reader.watchInt(forKey: "count", default: 0) { values in
        var seen: [Int] = []
        for await value in values {
          seen.append(value)
          if value == 2 { break }
          try other.set(value + 1, for: count)
        }
        #expect(seen == [0, 1, 2])
      }
      try await reader.watchSnapshot { snapshots in
        for await snapshot in snapshots {
          if snapshot.int(forKey: "count") == 4 { break }
          try other.transaction { $0[count] = 4 }
        }
      }
      #expect(reader.int(forKey: "count") == 4)
    }
  }
}
#endif
