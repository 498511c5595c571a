import Foundation
import KeepsakeFiles
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

/// The path of a directory that exists, without symbolic links.
func realPath(of path: FilePath) -> FilePath { DirectoryBookmark.realPath(of: path)! }
