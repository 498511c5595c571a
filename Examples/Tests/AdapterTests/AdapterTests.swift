import ArgumentParser
import Foundation
import Keepsake
import KeepsakeTesting
import Logging
import ServiceLifecycle
import Testing
import UnixSignals

@Suite("The adapters in the documentation") struct AdapterTests {
  @Test("are compiled here") func snippets() throws {
    let sources = [
      ("../Sources/Keepsake/Keepsake.docc/Adapters.md", "SettingsService.swift"),
      ("../Sources/Keepsake/Keepsake.docc/Adapters.md", "Train.swift"),
      ("../Sources/Keepsake/Keepsake.docc/Adapters.md", "AdapterTests.swift"),
      (
        "Sources/Keepsake/Keepsake.docc/Adapters.md",
        "../../../Tests/KeepsakeConfigurationTests/SettingsProviderTests.swift"
      ),
    ]
    let directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    // A line that no file contains is missing from each.
    let missing = try sources.map { page, file in
      let path = directory.appending(path: file).standardizedFileURL.path
      return Set(try linesOfSnippets(in: page, missingFrom: path))
    }
    #expect(missing.dropFirst().reduce(missing[0]) { $0.intersection($1) } == [])
  }

  @Test("write the settings when a service group shuts down") func service() async throws {
    try await AppContainer.withTemporary(identifier: "com.example.Server") { container in
      let settings = try SettingsStore(container: container)
      let group = ServiceGroup(
        services: [SettingsService(settings: settings)], gracefulShutdownSignals: [.sigterm],
        logger: Logger(label: "server"))
      let running = Task { try await group.run() }
      settings[.rounds] = 7
      await group.triggerGracefulShutdown()
      try await running.value
      #expect(
        try container.snapshot() == [
          "Preferences/com.example.Server.plist": "{\n  \"rounds\" : 7\n}"
        ])
    }
  }

  @Test("write the settings when the service is canceled") func canceledService() async throws {
    try await AppContainer.withTemporary(identifier: "com.example.Server") { container in
      let settings = try SettingsStore(container: container)
      settings[.rounds] = 7
      let running = Task { try await SettingsService(settings: settings).run() }
      running.cancel()
      try await running.value
      #expect(try container.snapshot().count == 1)
    }
  }

  @Test("give options the values that the user kept") func options() throws {
    let settings = SettingsStore.inMemory()
    try SettingsStore.withStandard(settings) {
      #expect(try Train.parse([]).rounds == 4)
      try Train.parse(["--rounds", "6", "--no-sound"]).run()
      #expect(try Train.parse([]).rounds == 4)
      try Train.parse(["--rounds", "6", "--no-sound", "--keep"]).run()
      let next = try Train.parse([])
      #expect(next.rounds == 6 && !next.sound)
      #expect(Train.helpMessage().contains("default: 6"))
    }
  }
}
