import Foundation
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import Testing

@Suite("A setting that is the bookmark of a directory") struct BookmarkSettingTests {
  @Test("is kept as text, or as data") func kept() throws {
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
