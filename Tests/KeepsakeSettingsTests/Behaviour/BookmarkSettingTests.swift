import Foundation
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import Testing

@Suite("Settings that are directory bookmarks") struct BookmarkSettingTests {
  @Test("A bookmark is stored as text or as data") func storage() throws {
    try withTemporaryDirectory { directory in
      let store = SettingsStore.inMemory()
      @AppStorage("workingDirectory", store: store) var bookmark: DirectoryBookmark?
      @AppStorage("bookmarkData", store: store) var data: Data?
      #expect(bookmark == nil)
      bookmark = try DirectoryBookmark(directory: directory)
      data = bookmark?.data
      #expect(try bookmark?.resolve().isStale == false)
      #expect(try data.map { try DirectoryBookmark(data: $0) } == bookmark)
      @AppStorage("workingDirectory", store: store) var text = ""
      #expect(text.contains("\npath \(directory)\n"))
    }
  }
}
