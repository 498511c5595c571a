import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("The command keepsake") struct SettingsCommandTests {
  @Test("lists and prints what an app keeps") func list() throws {
    try withApp { root, store in
      #expect(
        try lines(["settings", "list", "app", "--root", root.string]) == [
          "\"name\" = \"\\u{1b}Änn \\\"x\\\"\"", "\"rating\" = 3", "\"tags\" = [\"a\"]",
        ])
      #expect(try lines(["settings", "get", "app", "rating", "--root", root.string]) == ["3"])
    }
  }

  @Test("changes a setting, which a program that runs hears of") func set() async throws {
    try await withTemporaryFolder { root in
      let store = try open(root)
      var ratings = store.values(of: SettingsKey("rating", default: 0)).makeAsyncIterator()
      #expect(await ratings.next() == 3)
      #expect(
        try lines(["settings", "set", "app", "rating", "4", "--root", root.string]).isEmpty)
      #expect(await ratings.next() == 4)
      #expect(try lines(["settings", "remove", "app", "rating", "--root", root.string]).isEmpty)
      #expect(await ratings.next() == 0)
    }
  }

  @Test("refuses a value of another type, and changes nothing") func wrongType() throws {
    try withApp { root, store in
      for value in ["four", "", "4.5"] {
        let arguments = ["settings", "set", "app", "rating", value, "--root", root.string]
        #expect(try status(arguments) != 0)
      }
      #expect(try status(["settings", "set", "app", "new", "x", "--root", root.string]) != 0)
      #expect(store[SettingsKey("rating", default: 0)] == 3)
      #expect(
        try status([
          "settings", "set", "app", "rating", "four", "--type", "string", "--root", root.string,
        ]) == 0)
      #expect(
        try lines(["settings", "get", "app", "rating", "--root", root.string]) == ["four"])
    }
  }

  @Test("makes no files for an app that was mistyped") func mistyped() throws {
    try withTemporaryFolder { root in
      #expect(try status(["settings", "list", "ap", "--root", root.string]) != 0)
      #expect(try LocalFileSystem().contents(ofFolder: root).isEmpty)
    }
  }

  @Test("prints a setting whenever it changes") func watch() throws {
    try withApp { root, store in
      let watcher = try Worker(
        ["settings", "watch", "app", "rating", "--root", root.string], of: .tool)
      #expect(try watcher.readLine() == "3")
      try store.set(5, for: SettingsKey("rating", default: 0))
      #expect(try watcher.readLine() == "5")
    }
  }
}

private func withApp(_ body: (FilePath, SettingsStore) throws -> Void) throws {
  try withTemporaryFolder { root in try body(root, open(root)) }
}

private func open(_ root: FilePath) throws -> SettingsStore {
  let store = try SettingsStore(
    container: AppContainer(root: root, identifier: "app"), arguments: [])
  try store.set(3, for: SettingsKey("rating", default: 0))
  try store.set("\u{1B}Änn \"x\"", for: SettingsKey("name", default: ""))
  try store.set(["a"], for: SettingsKey("tags", default: [String]()))
  return store
}

/// What the command prints.
private func lines(_ arguments: [String]) throws -> [String] {
  let process = try Worker(arguments, of: .tool)
  var lines: [String] = []
  while let line = try process.readLine() { lines.append(line) }
  #expect(process.wait() == 0)
  return lines
}

/// How the command ends.
private func status(_ arguments: [String]) throws -> Int32 {
  try Worker(arguments, of: .tool).wait()
}
