package import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Runs a body with a folder of its own on a real disk, which is removed afterwards.
package func withTemporaryFolder<Result>(
  _ body: (FilePath) async throws -> Result
) async throws -> Result {
  let folder = try makeTemporaryFolder()
  defer { try? FileManager.default.removeItem(atPath: folder.string) }
  return try await body(folder)
}

/// Runs a body with a folder of its own on a real disk, which is removed afterwards.
package func withTemporaryFolder<Result>(_ body: (FilePath) throws -> Result) throws -> Result {
  let folder = try makeTemporaryFolder()
  defer { try? FileManager.default.removeItem(atPath: folder.string) }
  return try body(folder)
}

private func makeTemporaryFolder() throws -> FilePath {
  let url = FileManager.default.temporaryDirectory
    .appending(path: "keepsake-tests-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  return FilePath(url.path)
}
