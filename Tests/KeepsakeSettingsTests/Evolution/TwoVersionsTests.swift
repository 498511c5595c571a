import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

/// An older and a newer build of one program, which take turns: `Tests/OlderApp`, `Tests/NewerApp`.
@Suite("Two versions of an app with one store", .timeLimit(.minutes(10))) struct TwoVersionsTests {
  /// What the newer version knows.
  private struct Profile: Codable, Equatable {
    struct Item: Codable, Equatable {
      var id: Int
      var text: String
      var isDone: Bool?
    }
    struct Goal: Codable, Equatable { var weekly = 3 }
    var name = ""
    var tags: [String: Int] = [:]
    var items: [Item] = []
    var theme = "dark"
    var goal = Goal()

    /// What the older version knows of it.
    var older: OlderProfile {
      OlderProfile(
        name: name, tags: tags, items: items.map { OlderProfile.Item(id: $0.id, text: $0.text) })
    }
  }

  private struct OlderProfile: Codable, Equatable {
    struct Item: Codable, Equatable {
      var id: Int
      var text: String
    }
    var name: String
    var tags: [String: Int]
    var items: [Item]
  }

  private func edit(
    _ profile: inout Profile, _ step: Int, isNewer: Bool, _ random: inout SeededRandom
  ) {
    switch Int.random(in: 0..<(isNewer ? 8 : 5), using: &random) {
    case 0: profile.name = "name \(step)"
    case 1: profile.tags["\(step % 7)"] = step
    case 2: profile.tags["\(step % 5)"] = nil
    case 3:
      profile.items.insert(Profile.Item(id: step, text: "\(step)"), at: profile.items.count / 2)
    case 4:
      if let index = profile.items.indices.randomElement(using: &random) {
        if step.isMultiple(of: 2) {
          profile.items[index].text += "."
        } else {
          profile.items.remove(at: index)
        }
      }
    case 5: profile.theme = "theme \(step)"
    case 6: profile.goal.weekly = step
    default:
      if let index = profile.items.indices.randomElement(using: &random) {
        profile.items[index].isDone = step.isMultiple(of: 3)
      }
    }
  }

  @Test("lose nothing in a thousand random edits", arguments: 1...3 as ClosedRange<UInt64>)
  func edits(seed: UInt64) throws {
    try withHome { home in
      var random = SeededRandom(seed: seed)
      var profile = Profile()
      var programs: [Worker.Program: Worker] = [:]
      /// Sends a command to one of the two, and checks what that reads then.
      func ask(_ program: Worker.Program, _ command: String) throws {
        // Sometimes both run, sometimes one was killed and starts again.
        if Int.random(in: 0..<20, using: &random) == 0 { programs[program] = nil }
        let worker = try programs[program] ?? Worker([home.root.string], of: program)
        programs[program] = worker
        let answer = Array(try worker.ask(command).utf8)
        if program == .newerApp {
          try #require(JSON.Decoder().decode(Profile.self, from: answer) == profile, "\(command)")
        } else {
          let read = try JSON.Decoder().decode(OlderProfile.self, from: answer)
          try #require(read == profile.older, "\(command)")
        }
      }
      for step in 1...1000 {
        let isNewer = step == 1 || Bool.random(using: &random)
        edit(&profile, step, isNewer: isNewer, &random)
        let encoder = JSON.Encoder()
        let json = isNewer ? try encoder.encode(profile) : try encoder.encode(profile.older)
        let command = Bool.random(using: &random) ? "set" : "change"
        try ask(
          isNewer ? .newerApp : .olderApp, "\(command) \(String(decoding: json, as: UTF8.self))")
        if step.isMultiple(of: 100) {
          try ask(.newerApp, "level extreme")
          try ask(.olderApp, "level high")
        }
      }
      let home = Home(root: home.root, identifier: "com.example.TwoVersions")
      let store = try home.open()
      #expect(store[SettingsKey("level", default: "")] == "high")
      let preserved = try store.preservedValues()
      #expect(preserved.map(\.value) == ["extreme"] && preserved.map(\.key) == ["level"])
    }
  }
}
