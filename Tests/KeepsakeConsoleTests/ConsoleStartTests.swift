#if Console
import Foundation
import KeepsakeConsole
import KeepsakeFiles
import KeepsakeTestSupport
import Testing

@Suite("The console") struct ConsoleStartTests {
  @Test(
    "is not opened, and makes no files, unless the environment asks for it",
    .enabled(if: ProcessInfo.processInfo.environment["KEEPSAKE_CONSOLE"] != "1"))
  func off() throws {
    try withTemporaryDirectory { root in
      let serving = Console.start(container: AppContainer(root: root, identifier: "app"))
      #expect(serving == nil)
      let names = try LocalFileSystem().contents(ofDirectory: root)
      #expect(names.isEmpty)
    }
  }
}
#endif
