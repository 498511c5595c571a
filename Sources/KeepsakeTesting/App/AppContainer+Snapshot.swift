import KeepsakeCoding
public import KeepsakeFiles
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AppContainer {
  /// The files that an app keeps, as texts that a test can compare.
  ///
  /// The paths are the same for every container: `Documents/…`, `Preferences/…`,
  /// `Application Support/…` and `Saved Application State/…`. Property lists and JSON are written as
  /// JSON with sorted keys on lines of their own, a date as `"date 2001-01-01T00:00:00Z"`, and data as
  /// `"data AAEC"` in Base64; other files in UTF-8 as they are; all else as its number of bytes.
  ///
  /// Locks, the journals of settings, and hidden files are omitted: call `SettingsStore.save()` before,
  /// so that the property list contains all settings. Caches, temporary files, and past versions of
  /// documents, whose names contain the time, are omitted, too.
  ///
  /// - Parameter fileSystem: The file system that contains the directories.
  /// - Returns: The texts by path.
  /// - Throws: `FileError` if a file cannot be read.
  /// - Complexity: O(*n*) in the size of the files.
  public func snapshot(
    fileSystem: some FileSystem = LocalFileSystem()
  ) throws(FileError) -> [String: String] {
    let directories = [
      ("Documents", documents), ("Preferences", preferences),
      ("Application Support", applicationSupport), ("Saved Application State", savedState),
    ]
    // The names of past versions contain the time.
    let past = [documents.appending("Versions")]
    let roots = Set(directories.map(\.1) + [caches, temporary] + past)
    var texts: [String: String] = [:]
    for (name, directory) in directories {
      try Self.add(directory, named: name, to: &texts, in: fileSystem, except: roots)
    }
    return texts
  }

  private static func add(
    _ directory: FilePath, named name: String, to texts: inout [String: String],
    in fileSystem: some FileSystem, except roots: Set<FilePath>
  ) throws(FileError) {
    guard try fileSystem.information(at: directory)?.kind == .directory else { return }
    for entry in try fileSystem.contents(ofDirectory: directory).sorted() {
      let path = directory.appending(entry)
      if entry.hasPrefix(".") || roots.contains(path) { continue }
      let name = "\(name)/\(entry)"
      switch try fileSystem.information(at: path)?.kind {
      case .directory: try add(path, named: name, to: &texts, in: fileSystem, except: roots)
      case .file:
        if path.extension == "lock" || path.extension?.hasPrefix("journal-") == true { continue }
        guard let bytes = try fileSystem.readFile(at: path) else { continue }
        texts[name] = text(of: bytes)
      default: texts[name] = "not a file"
      }
    }
  }

  private static func text(of bytes: [UInt8]) -> String {
    var format = PropertyList.Format.xml
    let isPropertyList = bytes.starts(with: "<?xml".utf8) || bytes.starts(with: "bplist".utf8)
    if isPropertyList, let value = try? PropertyList.Value(parsing: bytes, format: &format),
      let text = text(of: JSON.Value(value, isMarked: true))
    {
      return text
    }
    if bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "["),
      let value = try? JSON.Value(parsing: bytes), let text = text(of: value)
    {
      return text
    }
    return String(validating: bytes, as: UTF8.self) ?? "\(bytes.count) bytes"
  }

  private static func text(of value: JSON.Value) -> String? {
    (try? value.serialized(prettyPrinted: true, sortedKeys: true)).map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
