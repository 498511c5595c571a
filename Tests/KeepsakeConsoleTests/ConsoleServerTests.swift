#if Console
import Foundation
import KeepsakeLoopback
import KeepsakeScenes
import KeepsakeSettings
import Testing

@testable import KeepsakeConsole

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The console's page") struct ConsoleServerTests {
  @Test("loads with its script, and without the app's values") func files() async throws {
    let settings = SettingsStore.inMemory()
    try settings.set("a secret", for: SettingsKey<String?>("name"))
    let model = ConsoleModel(app: "app", settings: settings, scenes: nil)
    let server = ConsoleServer(model: model, token: Loopback.Token())
    let (ports, started) = AsyncStream<UInt16>.makeStream()
    let running = Task { try await server.run(on: [0]) { started.yield($0) } }
    defer { running.cancel() }
    for await port in ports {
      for (path, status) in [
        ("/", 200), ("/console.css", 200), ("/console.js", 200), ("/other", 404), ("/socket", 403),
      ] {
        let url = try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
        let (data, response) = try await URLSession.shared.data(from: url)
        #expect((response as? HTTPURLResponse)?.statusCode == status)
        #expect(!String(decoding: data, as: UTF8.self).contains("a secret"))
      }
      break
    }
  }

  @Test("has the same address after a restart of the app, which another app does not have")
  func address() {
    let ports = Console.ports(of: "com.example.app")
    #expect(ports == Console.ports(of: "com.example.app"))
    #expect(ports != Console.ports(of: "com.example.other"))
    #expect(ports.first == 28_075 && ports.last == 0)
  }
}
#endif
