package import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Runs a body with a folder of its own, which is removed afterwards, as the function below does.
package func withTemporaryFolder<Result>(
  isInMemory: Bool = false, _ body: (FilePath) async throws -> Result
) async throws -> Result {
  let folder = try makeTemporaryFolder(isInMemory: isInMemory)
  defer { try? FileManager.default.removeItem(atPath: folder.string) }
  return try await body(folder)
}

/// Runs a body with a folder of its own on a real disk, which is removed afterwards.
///
/// - Parameter isInMemory: Whether the disk is to be one that the kernel keeps in memory, where
///   there is one: what is tried thousands of times need not wait for flushes.
package func withTemporaryFolder<Result>(
  isInMemory: Bool = false, _ body: (FilePath) throws -> Result
) throws -> Result {
  let folder = try makeTemporaryFolder(isInMemory: isInMemory)
  defer { try? FileManager.default.removeItem(atPath: folder.string) }
  return try body(folder)
}

private func makeTemporaryFolder(isInMemory: Bool = false) throws -> FilePath {
  let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
  let isThere = FileManager.default.isWritableFile(atPath: memory.path)
  let url = (isInMemory && isThere ? memory : FileManager.default.temporaryDirectory)
    .appending(path: "keepsake-\(String(UInt64.random(in: .min ... .max), radix: 36))")
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  return FilePath(url.path)
}
