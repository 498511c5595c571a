package import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Runs a body with a new directory, which is removed afterwards, as the function below does.
package func withTemporaryDirectory<Result>(
  isInMemory: Bool = false, _ body: (FilePath) async throws -> Result
) async throws -> Result {
  let directory = try makeTemporaryDirectory(isInMemory: isInMemory)
  defer { try? FileManager.default.removeItem(atPath: directory.string) }
  return try await body(directory)
}

/// Runs a body with a new directory on a real disk, which is removed afterwards.
///
/// - Parameter isInMemory: Whether to use a file system in memory, if there is one: what runs
///   thousands of times need not wait for flushes.
package func withTemporaryDirectory<Result>(
  isInMemory: Bool = false, _ body: (FilePath) throws -> Result
) throws -> Result {
  let directory = try makeTemporaryDirectory(isInMemory: isInMemory)
  defer { try? FileManager.default.removeItem(atPath: directory.string) }
  return try body(directory)
}

private func makeTemporaryDirectory(isInMemory: Bool = false) throws -> FilePath {
  let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
  let exists = FileManager.default.isWritableFile(atPath: memory.path)
  let url = (isInMemory && exists ? memory : FileManager.default.temporaryDirectory)
    .appending(path: "keepsake-\(String(UInt64.random(in: .min ... .max), radix: 36))")
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  return FilePath(url.path)
}
