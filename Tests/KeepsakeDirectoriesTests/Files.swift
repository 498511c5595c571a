import Foundation
import SystemPackage

func makeDirectory(_ path: FilePath) throws {
  try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
}

/// Creates a file, and the directories that contain it.
func write(_ text: String, to path: FilePath) throws {
  try makeDirectory(path.removingLastComponent())
  try Data(text.utf8).write(to: URL(filePath: path.string))
}

func link(_ path: FilePath, to target: String) throws {
  try FileManager.default.createSymbolicLink(atPath: path.string, withDestinationPath: target)
}
