import KeepsakeBase
public import KeepsakeFiles
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AppContainer {
  /// Runs a test with the directories of an app in a new temporary directory, which is removed
  /// afterwards.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the app.
  ///   - body: The test; it may open and close as many stores as it likes.
  /// - Throws: Errors of the body; an error if the directory cannot be created.
  public static func withTemporary<Result>(
    identifier: String = "com.example.Test", _ body: (AppContainer) throws -> Result
  ) throws -> Result {
    let root = try makeTemporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: root.string) }
    return try body(AppContainer(root: root, identifier: identifier))
  }

  /// Runs a test with the directories of an app in a new temporary directory, which is removed
  /// afterwards.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the app.
  ///   - body: The test; it may open and close as many stores as it likes.
  /// - Throws: Errors of the body; an error if the directory cannot be created.
  public static func withTemporary<Result>(
    identifier: String = "com.example.Test", _ body: (AppContainer) async throws -> Result
  ) async throws -> Result {
    let root = try makeTemporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: root.string) }
    return try await body(AppContainer(root: root, identifier: identifier))
  }

  private static func makeTemporaryDirectory() throws -> FilePath {
    let path = FilePath(FileManager.default.temporaryDirectory.path)
      .appending("keepsake-\(Hexadecimal.random(byteCount: 8))")
    try FileManager.default.createDirectory(
      atPath: path.string, withIntermediateDirectories: false)
    return path
  }
}
