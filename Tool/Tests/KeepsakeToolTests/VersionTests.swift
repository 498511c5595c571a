import Foundation
import Testing

@Suite("The version of keepsake") struct VersionTests {
  @Test("is printed, and declared in one line that Scripts/release can change")
  func version() throws {
    let tool = try RunningTool(["--version"])
    let printed = try #require(try tool.readLine())
    #expect(try tool.readLine() == nil)
    #expect(tool.wait() == 0)

    let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let file = package.appending(path: "Sources/keepsake/Version.swift").standardized
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.contains("let version = \"\(printed)\""))
  }
}
