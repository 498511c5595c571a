import Keepsake
import SystemPackage
import Testing

@Suite("The command keepsake") struct SettingsCommandTests {
  @Test("lists and prints what an app keeps") func list() async throws {
    try await withApp { root, store in
      let all = try lines(["settings", "list", "app", "--root", root.string])
      #expect(
        all == [
          "\"name\" = \"\\u{1b}Änn \\\"x\\\"\"", "\"rating\" = 3", "\"tags\" = [\"a\"]",
        ])
      let rating = try lines(["settings", "get", "app", "rating", "--root", root.string])
      #expect(rating == ["3"])
    }
  }

  @Test("changes a setting, which a running program receives") func set() async throws {
    try await withTemporaryDirectory { root in
      let store = try open(root)
      var ratings = store.values(of: SettingsKey("rating", default: 0)).makeAsyncIterator()
      #expect(try await ratings.next() == 3)
      let set = try lines(["settings", "set", "app", "rating", "4", "--root", root.string])
      #expect(set.isEmpty)
      #expect(try await ratings.next() == 4)
      let removed = try lines(["settings", "remove", "app", "rating", "--root", root.string])
      #expect(removed.isEmpty)
      #expect(try await ratings.next() == 0)
    }
  }

  @Test("refuses a value of another type, and changes nothing") func wrongType() async throws {
    try await withApp { root, store in
      for value in ["four", "", "4.5"] {
        let arguments = ["settings", "set", "app", "rating", value, "--root", root.string]
        let refused = try status(arguments)
        #expect(refused != 0)
      }
      let untyped = try status(["settings", "set", "app", "new", "x", "--root", root.string])
      #expect(untyped != 0)
      #expect(store[SettingsKey("rating", default: 0)] == 3)
      let retyped = try status([
        "settings", "set", "app", "rating", "four", "--type", "string", "--root", root.string,
      ])
      #expect(retyped == 0)
      let rating = try lines(["settings", "get", "app", "rating", "--root", root.string])
      #expect(rating == ["four"])
    }
  }

  @Test("lists and restores values that were replaced although they could not be read")
  func restore() async throws {
    try await withApp { root, store in
      store[SettingsKey("rating", default: "none")] = "good"
      let list = ["settings", "preserved", "app", "--root", root.string]
      let preserved = try lines(list)
      #expect(preserved.count == 1)
      #expect(preserved.first?.hasPrefix("1: \"rating\" = 3 (2") == true)
      let missing = try status(["settings", "restore", "app", "2", "--root", root.string])
      #expect(missing != 0)
      let restored = try status(["settings", "restore", "app", "1", "--root", root.string])
      #expect(restored == 0)
      let rating = try lines(["settings", "get", "app", "rating", "--root", root.string])
      #expect(rating == ["3"])
      let replaced = try lines(list)
      #expect(replaced.first?.hasPrefix("2: \"rating\" = \"good\" (2") == true)
    }
  }

  @Test("restores one of several values that were replaced at once") func restoreOne() async throws
  {
    try await withApp { root, store in
      store[SettingsKey("rating", default: "none")] = "good"
      let file = try #require(try store.preservedValues().first?.file)
      let text = String(
        decoding: try #require(try LocalFileSystem().readFile(at: file)), as: UTF8.self)
      let one = try #require(text.firstRange(of: "<dict>")).lowerBound
      let end = try #require(text.firstRange(of: "</plist>")).lowerBound
      let entry = text[one..<end]
      let other = entry.replacing("rating", with: "units")
      let several = text[..<one] + "<array>" + entry + other + "</array>" + text[end...]
      try LocalFileSystem().replaceFile(at: file, with: Array(several.utf8))
      let restore = ["settings", "restore", "app", "1"]
      let ambiguous = try status(restore + ["--root", root.string])
      #expect(ambiguous != 0)
      let restored = try status(restore + ["units", "--root", root.string])
      #expect(restored == 0)
      let units = try lines(["settings", "get", "app", "units", "--root", root.string])
      #expect(units == ["3"])
      let left = try lines(["settings", "preserved", "app", "--root", root.string])
      #expect(left.count == 1 && left[0].hasPrefix("1: \"rating\" = 3 (2"))
    }
  }

  @Test("makes no files for an app that was mistyped") func mistyped() async throws {
    try await withTemporaryDirectory { root in
      let refused = try status(["settings", "list", "ap", "--root", root.string])
      #expect(refused != 0)
      let names = try LocalFileSystem().contents(ofDirectory: root)
      #expect(names.isEmpty)
    }
  }

  @Test("prints a setting whenever it changes") func watch() async throws {
    try await withApp { root, store in
      let watcher = try RunningTool(["settings", "watch", "app", "rating", "--root", root.string])
      let first = try watcher.readLine()
      #expect(first == "3")
      try store.set(5, for: SettingsKey("rating", default: 0))
      let second = try watcher.readLine()
      #expect(second == "5")
    }
  }
}

private func withApp(_ body: (FilePath, SettingsStore) throws -> Void) async throws {
  try await withTemporaryDirectory { root in try body(root, open(root)) }
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
  let process = try RunningTool(arguments)
  var lines: [String] = []
  while let line = try process.readLine() { lines.append(line) }
  #expect(process.wait() == 0)
  return lines
}

/// How the command ends.
private func status(_ arguments: [String]) throws -> Int32 {
  try RunningTool(arguments).wait()
}
