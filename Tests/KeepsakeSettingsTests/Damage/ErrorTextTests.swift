import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@testable import KeepsakeSettings

@Suite("The text of an error") struct ErrorTextTests {
  @Test("says what, where, why and what was kept, in this order") func order() throws {
    try withHome { home in
      let problems = Problems()
      let store = try home.open(problems: problems)
      try store.set("text", for: SettingsKey("k", default: ""))
      #expect(store[SettingsKey("k", default: 1)] == 1)
      let file = home.container.preferencesFile()
      #expect(
        problems.all.map(\.description) == [
          "the stored value has another type (key 'k', file '\(file)'): expected Int, found a string; "
            + "it was kept, and the default is used"
        ])
    }
  }

  @Test("names a file once, and says once what was changed") func files() throws {
    try withHome { home in
      let file = home.container.preferencesFile()
      try LocalFileSystem().createDirectories(file)
      let error = try #require(throws: SettingsError.self) { try home.open() }
      let reason = "cannot open '\(file)': Is a directory (errno 21)"
      #expect(error.description == "the settings cannot be read: \(reason); nothing was changed")
      #expect((error.cause as? FileError)?.description == "\(reason); nothing was changed")
    }
    let held = FileError(.lock, "a.lock", .resourceBusy, effect: "process 7 holds it")
    let error = SettingsError(
      .notDurable, "the property list cannot be written", effect: "the journal keeps the changes",
      file: "a.plist", cause: held)
    #expect(
      error.description
        == "the property list cannot be written (file 'a.plist'): cannot lock 'a.lock': Device or resource busy "
        + "(errno 16); process 7 holds it; the journal keeps the changes")
  }

  @Test("shortens a path over 200 characters") func longPath() {
    let path = FilePath("/" + String(repeating: "directory/", count: 100) + "a.plist")
    let error = SettingsError(.conflict, "a conflict", file: path)
    #expect(error.description.count < 250 && error.description.contains("a.plist'"))
  }
}
