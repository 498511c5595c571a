#if Console
import Foundation
import KeepsakeCoding
import KeepsakeConfiguration
import KeepsakeFiles
import KeepsakeScenes
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@testable import KeepsakeConsole

@Suite("What the console shows and changes") struct ConsoleModelTests {
  private func withModel(
    _ body: (ConsoleModel, SettingsStore, SceneSessions) throws -> Void
  ) throws {
    try withTemporaryDirectory { root in
      let container = AppContainer(root: root, identifier: "app")
      let store = try SettingsStore(container: container, arguments: [])
      let scenes = try SceneSessions(container: container)
      try store.set(3, for: Self.rating)
      try body(ConsoleModel(app: "app", settings: store, scenes: scenes), store, scenes)
    }
  }

  private static let rating = SettingsKey("rating", default: 0)

  @Test("is every setting and every window's, with its type") func rows() throws {
    try withModel { model, store, scenes in
      let scene = try scenes.session(id: "w/1")
      try scene.store.set("Squat", for: SettingsKey("tab", default: ""))
      try store.set(Date(timeIntervalSinceReferenceDate: 0), for: SettingsKey("a/b", default: .now))
      #expect(
        model.rows().map { [$0.section, $0.name, $0.text, $0.kind ?? ""] } == [
          ["Settings", "a/b", "2001-01-01T00:00:00.000Z", "date"],
          ["Settings", "rating", "3", "integer"],
          ["Scenes", "tab", "Squat", "string"],
        ])
    }
  }

  @Test("says which settings other machines do not have yet") func sharing() throws {
    try withModel { model, store, _ in
      try store.shareValues()
      try store.set(4, for: Self.rating)
      let rows = model.rows()
      #expect(rows.map(\.name) == ["Shared with other machines", "rating"])
      #expect(rows.map(\.text) == ["not joined yet, 1 not sent", "4"])
      #expect(rows.map(\.isToBeSent) == [false, true])
      let change = try #require(store.syncLog?.changes.values.first)
      try store.receive { _ in
        var received = SettingsStore.ReceivedValues()
        received.update.cluster = "one"
        received.update.revision = 7
        received.update.shown = [change.origin: change.number]
        return received
      }
      #expect(model.rows().map(\.text) == ["revision 7, 0 not sent", "4"])
      #expect(model.rows().map(\.isToBeSent) == [false, false])
    }
  }

  @Test("shows every character of a value, and all of it on request") func visible() throws {
    try withModel { model, store, _ in
      let values = [
        "lines": "one\ntwo", "long": String(repeating: "x", count: 3000),
        "marks": "a\u{202E}b\u{0}", "plain": "שלום 👩‍🚀", "z": "",
      ]
      for (name, value) in values { try store.set(value, for: SettingsKey(name, default: "")) }
      let rows = Dictionary(uniqueKeysWithValues: model.rows().map { ($0.name, $0) })
      #expect(rows["lines"]?.text == "one\\ntwo")
      #expect(rows["long"]?.text == String(repeating: "x", count: 200) + "…")
      #expect(rows["marks"]?.text == "a\\u{202e}b\\u{0}")
      #expect(rows["plain"]?.text == "שלום 👩‍🚀")
      // Only what is shown exactly is changed in place; the rest where it is shown in full, if it is.
      #expect(
        rows.values.filter { !$0.isEditable }.map(\.name).sorted() == ["lines", "long", "marks"])
      for name in ["lines", "long"] {
        let detail = try #require(model.detail(of: "setting/\(name)"))
        #expect(detail.text == values[name] && detail.isEditable)
      }
      let marks = try #require(model.detail(of: "setting/marks"))
      #expect(marks.text == "a\\u{202e}b\\u{0}" && !marks.isEditable)
    }
  }

  @Test("shows a change after the beginning of a long value") func longChange() throws {
    try withModel { model, store, _ in
      let key = SettingsKey("long", default: "")
      try store.set(String(repeating: "x", count: 3000), for: key)
      var view = ConsoleView()
      _ = view.show(model.rows())
      try store.set(String(repeating: "x", count: 2999) + "y", for: key)
      #expect(view.show(model.rows()).changed.map(\.row.name) == ["long"])
    }
  }

  @Test("is changed by its type, or refused") func setting() throws {
    try withModel { model, store, scenes in
      try model.perform(ConsoleRequest(action: .set, id: "setting/rating", text: "4"))
      #expect(store[Self.rating] == 4)
      for text in ["four", "", "4.5", "99999999999999999999"] {
        #expect(throws: ConsoleRefusal.self) {
          try model.perform(ConsoleRequest(action: .set, id: "setting/rating", text: text))
        }
      }
      #expect(throws: ConsoleRefusal.self) {
        try model.perform(ConsoleRequest(action: .set, id: "other/rating", text: "1"))
      }
      #expect(throws: ConsoleRefusal.self) { try model.perform(ConsoleRequest(action: .set)) }
      #expect(store[Self.rating] == 4)
      try model.perform(
        ConsoleRequest(action: .set, id: "setting/new", text: "[1, 2]", type: .array))
      #expect(store[SettingsKey("new", default: [Int]())] == [1, 2])
      let scene = try scenes.session(id: "w/1")
      try model.perform(ConsoleRequest(action: .set, id: "scene/w/1/tab", text: "x"))
      #expect(scene.store[SettingsKey("tab", default: "")] == "x")
    }
  }

  @Test("is the configuration with where it comes from, overridden by its type")
  func configuration()
    throws
  {
    let configuration = try EnvironmentConfiguration(dictionary: [
      "Timeout": 30, "Verbose": false, "ApiToken": "hunter2",
    ])
    let model = ConsoleModel(
      app: "app", settings: .inMemory(), configuration: configuration, scenes: nil)
    func row(_ name: String) -> ConsoleRow? { model.rows().first { $0.name == name } }
    #expect(row("Timeout")?.text == "30")
    #expect(row("Timeout")?.layer?.contains("Common") == true)
    #expect(throws: ConsoleRefusal.self) {
      try model.perform(ConsoleRequest(action: .set, id: "configuration/Timeout", text: "soon"))
    }
    try model.perform(ConsoleRequest(action: .set, id: "configuration/Timeout", text: "5"))
    #expect(try configuration.value(for: "Timeout", as: Int.self) == 5)
    #expect(row("Timeout")?.layer == "overrides")
    #expect(row("Timeout")?.isRemovable == true)
    #expect(model.detail(of: "configuration/Timeout")?.text.contains("30") == true)
    try model.perform(ConsoleRequest(action: .undo))
    #expect(try configuration.value(for: "Timeout", as: Int.self) == 30)

    try model.perform(ConsoleRequest(action: .set, id: "configuration/ApiToken", text: "letmein"))
    try model.perform(ConsoleRequest(action: .set, id: "configuration/ApiToken", text: "letmein2"))
    let shown =
      "\(model.rows()) \(model.undoing) \(model.detail(of: "configuration/ApiToken")?.text ?? "")"
    #expect(!shown.contains("hunter2") && !shown.contains("letmein"))
  }

  @Test("says which values the app does not use, and which files it cannot read")
  func problems() throws {
    try withTemporaryDirectory { root in
      let file = root.appending("config.plist")
      func write(_ level: String) throws {
        let text =
          "<plist><dict><key>Common</key><dict><key>Retries</key>\(level)</dict></dict></plist>"
        try LocalFileSystem().replaceFile(at: file, with: Array(text.utf8))
      }
      try write("<integer>3</integer>")
      let configuration = try EnvironmentConfiguration(
        file: file, arguments: [], variables: [:], onProblem: { _ in })
      let model = ConsoleModel(
        app: "app", settings: .inMemory(), configuration: configuration, scenes: nil)
      #expect(configuration["Retries", default: 0] == 3)
      #expect(model.rows().map(\.problem) == [nil])
      try write("<string>many</string>")
      try waitUntil(in: root) { model.rows().first?.text == "many" }
      let row = try #require(model.rows().first)
      #expect(row.problem?.contains("config.plist:1:") == true)
      #expect(row.problem?.hasPrefix("not used by the app") == true)
      #expect(model.detail(of: row.id)?.text.contains("Not used by the app") == true)
      try LocalFileSystem().replaceFile(at: file, with: Array("<plist><dict><ke".utf8))
      try waitUntil(in: root) { model.rows().first?.section == "Problems" }
      #expect(model.rows().first?.text.contains("config.plist") == true)
      #expect(model.rows().last?.text == "many")
      try write("<integer>4</integer>")
      try waitUntil(in: root) { model.rows().map(\.text) == ["4"] }
      #expect(model.rows().first?.problem == nil)
    }
  }

  @Test("is undone step by step, unless somebody else changed it since") func undo() throws {
    try withModel { model, store, _ in
      #expect(model.undoing == "")
      #expect(throws: ConsoleRefusal.self) { try model.perform(ConsoleRequest(action: .undo)) }
      try model.perform(ConsoleRequest(action: .set, id: "setting/rating", text: "4"))
      try model.perform(ConsoleRequest(action: .remove, id: "setting/rating"))
      #expect(store[Self.rating] == 0)
      try model.perform(ConsoleRequest(action: .undo))
      #expect(store[Self.rating] == 4)
      #expect(model.undoing == "rating back to 3")
      try model.perform(ConsoleRequest(action: .undo))
      #expect(store[Self.rating] == 3)

      try model.perform(ConsoleRequest(action: .set, id: "setting/rating", text: "5"))
      try store.set(6, for: Self.rating)
      #expect(throws: ConsoleRefusal.self) { try model.perform(ConsoleRequest(action: .undo)) }
      #expect(store[Self.rating] == 6)
      #expect(model.undoing == "")
    }
  }
}
#endif
