#if Macros
import Foundation
import KeepsakeConfiguration
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeMacros
import KeepsakeTesting
import SystemPackage
import Testing

@Storable(version: 2)
struct Plan: Equatable, Identifiable {
  @Key(aliases: "name") var id: String
  @Migrated(from: "seconds", before: 2, { (old: Int) in Duration.seconds(old) })
  var length: Duration
  var rounds = 1
  @Migrated(from: "range", { (old: String) in old.split(separator: "-").first.flatMap { Int($0) } })
  var lowest: Int?
  @IfUnreadable(.dropElements) var marks: [Int] = []
}

/// What an earlier version of the app stored.
private struct FirstPlan: Codable {
  var name = "Burpee"
  var seconds = 30
  var range = "8-12"
  var marks = ["1"]
}

@Suite("One declaration") struct OneDeclarationTests {
  private let expected = Plan(id: "Burpee", length: .seconds(30), lowest: 8)
  private let disk = SimulatedDisk()

  @Test("reads a setting that an earlier version stored, and is one") func settings() throws {
    let container = AppContainer(root: "/home", identifier: "com.example.App")
    let store = try SettingsStore(container: container, fileSystem: disk)
    store[SettingsKey<FirstPlan?>("plan")] = FirstPlan()
    let key = SettingsKey<Plan?>("plan")
    #expect(store[key] == expected)
    store[key]?.rounds = 3
    #expect(store[key]?.rounds == 3)
    #expect(store[key]?.lowest == 8)
    #expect(store[key]?.length == .seconds(30))
  }

  @Test("reads a document that an earlier version stored, and is one") func documents() throws {
    let store = try DocumentStore<Plan>(
      directory: "/plans", pathExtension: "plan", fileSystem: disk)
    let old = try JSON.Encoder().encodeToBytes(FirstPlan())
    try disk.replaceFile(at: "/plans/Burpee.plan", with: old)
    var plan = try store.load("Burpee")
    #expect(plan == expected)
    plan.rounds = 3
    try store.save(plan)
    let other = try DocumentStore<Plan>(
      directory: "/plans", pathExtension: "plan", fileSystem: disk)
    #expect(try other.load("Burpee") == plan)
    let bytes = try disk.readFile(at: "/plans/Burpee.plan") ?? []
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains(#""schemaVersion" : 2"#) && text.contains(#""rounds" : 3"#))
  }

  @Test("reads a configuration that was made for an earlier version") func configuration() throws {
    let configuration = try EnvironmentConfiguration(dictionary: [
      "name": "Burpee", "seconds": 30, "range": "8-12", "marks": ["x"],
    ])
    #expect(try configuration.decode(Plan.self) == expected)
    let current = try EnvironmentConfiguration(dictionary: [
      "id": "Burpee", "schemaVersion": 2, "length": [30, 0], "lowest": 8, "rounds": 2,
    ])
    #expect(try current.decode(Plan.self).rounds == 2)
    let empty = try EnvironmentConfiguration(dictionary: ["rounds": "x"])
    let errors = #expect(throws: ConfigurationErrors.self) { try empty.decode(Plan.self) }
    #expect(errors.map { "\($0)" }?.contains("id") == true)
  }
}
#endif
