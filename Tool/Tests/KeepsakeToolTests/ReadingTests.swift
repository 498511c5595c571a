import Foundation
import Keepsake
import SystemPackage
import Testing

@Suite("What reads") struct ReadingTests {
  @Test(
    "creates and changes nothing",
    arguments: [
      ["settings", "list"], ["settings", "get", "rating"], ["settings", "type", "rating"],
      ["settings", "find", "r"], ["settings", "explain", "rating"], ["settings", "export"],
      ["settings", "preserved"], ["settings", "check"], ["documents", "list"],
      ["documents", "show", "one"], ["documents", "versions", "one"], ["documents", "trash"],
      ["documents", "quarantine"], ["documents", "unreadable"], ["documents", "export"],
      ["directories"], ["scenes"],
    ])
  func nothing(_ words: [String]) async throws {
    try await withTemporaryDirectory { root in
      try await keepSomething(in: root)
      let before = try files(below: root)
      let done = try await Finished(
        RunningTool.executable.path,
        Array(words.prefix(2)) + ["app"] + words.dropFirst(2) + ["--root", root.string])
      #expect(done.code == 0, "\(done.errors)")
      #expect(try files(below: root) == before)
    }
  }

  @Test("says that there is nothing, with a code of its own, and creates nothing")
  func missing() async throws {
    try await withTemporaryDirectory { root in
      for command in [
        ["settings", "list", "app"], ["settings", "get", "app", "x"], ["documents", "list", "app"],
        ["documents", "show", "app", "x"], ["scenes", "app"], ["settings", "set", "app", "x", "1"],
        ["secrets", "list", "app", "--key-file", "/k"],
        ["backup", "app", root.appending("x").string],
      ] {
        let done = try await Finished(
          RunningTool.executable.path, command + ["--root", root.string])
        #expect(done.code == 66, "\(command): \(done.errors)")
        #expect(done.output.isEmpty)
      }
      #expect(try files(below: root).isEmpty)
    }
  }

  @Test("shows what a process wrote that was killed before its property list was written")
  func journal() async throws {
    try await withTemporaryDirectory { root in
      let store = try SettingsStore(
        container: AppContainer(root: root, identifier: "app"), arguments: [])
      try store.set(7, for: SettingsKey("rating", default: 0))
      let done = try await Finished("settings", "get", "app", "rating", root: root)
      #expect(done.output == "7\n")
      withExtendedLifetime(store) {}
    }
  }

  @Test("prints JSON that says the same") func json() async throws {
    try await withTemporaryDirectory { root in
      try await keepSomething(in: root)
      let done = try await Finished("settings", "list", "app", "--json", root: root)
      let json = try JSON.Value(parsing: done.output)
      #expect(json["rating"] == 3)
      #expect(json["tags"] == ["a"])
      let document = try await Finished("documents", "show", "app", "one", root: root)
      #expect(try JSON.Value(parsing: document.output)["title"] == "First")
    }
  }
}

/// A document of these tests.
struct Note: Codable, Identifiable, Sendable {
  var id: String
  var title: String
}

/// Keeps settings, a scene and a document.
func keepSomething(in root: FilePath) async throws {
  let container = AppContainer(root: root, identifier: "app")
  let settings = try SettingsStore(container: container, arguments: [])
  try settings.set(3, for: SettingsKey("rating", default: 0))
  try settings.set(["a"], for: SettingsKey("tags", default: [String]()))
  try await settings.synchronize()
  let scenes = try SceneSessions(container: container)
  let scene = try scenes.session(id: "window")
  try scene.store.set("history", for: SettingsKey("tab", default: ""))
  try await scene.store.synchronize()
  let notes = try DocumentStore<Note>(directory: container.documents, pathExtension: "note")
  try notes.create(Note(id: "one", title: "First"))
}
