import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Values that were replaced although they could not be read.
extension SettingsFile {
  /// Writes a value that is about to be replaced to a file beside the property list, and reports it.
  ///
  /// - Parameters:
  ///   - reason: Why it is replaced.
  ///   - error: Why the value cannot be read, if it cannot.
  /// - Throws: ``SettingsError`` if that fails; the value must then not be replaced.
  func preserve(
    _ value: PropertyList.Value, of name: SettingsName, because reason: String,
    error: (any Error)? = nil
  ) throws(SettingsError) {
    let preserved = PreservedValue(
      key: name.string, value: value, date: Date(), reason: error.map { "\($0)" } ?? reason)
    do throws(FileError) {
      let file = try write(preserved)
      report(
        SettingsError(
          .preserved, reason,
          effect: "it is replaced, and preserved\(file.map { " as '\($0.shortened)'" } ?? "")",
          key: name.string, file: path, cause: error))
    } catch {
      throw SettingsError(
        .notWritten,
        "the stored value cannot be preserved", effect: "nothing was changed", key: name.string,
        file: path, cause: error)
    }
  }

  /// - Returns: The file; `nil` if the settings are in memory.
  private func write(_ preserved: PreservedValue) throws(FileError) -> FilePath? {
    let kept = try preservedValues().values.first {
      SettingsName($0.key) == SettingsName(preserved.key)
        && $0.value.isIdentical(to: preserved.value)
    }
    if let kept { return kept.file }
    if hasNoFiles {
      preservedInMemory.withLock { $0.append(preserved) }
      return nil
    }
    return try fileSystem.quarantine(preserved.bytes, of: path, as: Self.preservedSuffix)
  }

  /// The preserved values in the order of their dates, and the files that cannot be read.
  func preservedValues() throws(FileError) -> (
    values: [PreservedValue], damaged: [(file: FilePath, error: any Error)]
  ) {
    if hasNoFiles { return (preservedInMemory.withLock { $0 }, []) }
    var values: [PreservedValue] = []
    var damaged: [(file: FilePath, error: any Error)] = []
    let prefix = "\(path.lastComponent?.string ?? "").\(Self.preservedSuffix)-"
    for name in try fileSystem.contents(ofDirectory: directory) where name.hasPrefix(prefix) {
      let file = directory.appending(name)
      guard let bytes = try fileSystem.readFile(at: file) else { continue }
      do {
        values.append(try PreservedValue(bytes, in: file))
      } catch {
        damaged.append((file, error))
      }
    }
    return (values.sorted { ($0.date, $0.key) < ($1.date, $1.key) }, damaged)
  }

  /// Removes a preserved value.
  func removePreserved(_ preserved: PreservedValue) throws(FileError) {
    if let file = preserved.file {
      try fileSystem.remove(file)
    } else {
      preservedInMemory.withLock { $0.removeAll { $0 == preserved } }
    }
  }

  private static let preservedSuffix = "preserved"

  private var hasNoFiles: Bool { isInMemory || isRemoved.load(ordering: .acquiring) }
}
