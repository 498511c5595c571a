import Foundation
import KeepsakeFiles
import KeepsakeSettings
import KeepsakeTestSupport
import Testing

@Suite("A setting that is the bookmark of a folder") struct BookmarkSettingTests {
  @Test("is kept as text, or as data") func kept() throws {
    try withTemporaryFolder { folder in
      let store = SettingsStore.inMemory()
      @AppStorage("workingDirectory", store: store) var bookmark: FolderBookmark?
      @AppStorage("bookmarkData", store: store) var data: Data?
      #expect(bookmark == nil)
      bookmark = try FolderBookmark(folder: folder)
      data = bookmark?.data
      #expect(try bookmark?.resolve().isStale == false)
      #expect(try data.map { try FolderBookmark(data: $0) } == bookmark)
      @AppStorage("workingDirectory", store: store) var text = ""
      #expect(text.contains("\npath \(folder)\n"))
    }
  }
}
