import KeepsakeFiles
import SystemPackage
import Testing

@Suite("Errors of files") struct FileErrorTests {
  @Test("A path of more than 200 characters is shortened in the message")
  func longPath() {
    let path = FilePath("/home/me/" + String(repeating: "directory/", count: 40) + "app.plist")
    let error = FileError(.write, path, .noSpace)
    #expect(error.path == path)
    #expect(error.description.hasPrefix("cannot write '/home/me/directory/"))
    #expect(error.description.contains("...") && error.description.contains("/app.plist': "))
    #expect(error.description.count < 300)
    let short = FileError(.write, "/home/me/app.plist", .noSpace)
    #expect(short.description.hasPrefix("cannot write '/home/me/app.plist': No space left"))
  }

  @Test("The localized description is the description")
  func localizedDescription() {
    let error = FileError(.open, "/a", .permissionDenied)
    #expect(error.errorDescription == error.description)
  }
}
