import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Values that are replaced and may be wanted again.
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
    if let problem = try preserve([name: value], because: reason, error: error) { report(problem) }
  }

  /// Writes values that are about to be replaced at once to a file beside the property list.
  ///
  /// - Returns: What is to be reported once they are replaced.
  /// - Throws: ``SettingsError`` if that fails; none of the values must then be replaced.
  /// - Complexity: O(*n*) in the number of values, and of those that are preserved already.
  func preserve(
    _ values: [SettingsName: PropertyList.Value], because reason: String,
    error: (any Error)? = nil
  ) throws(SettingsError) -> SettingsError? {
    if values.isEmpty { return nil }
    let (date, text) = (Date(), error.map { "\($0)" } ?? reason)
    let preserved = values.map { name, value in
      PreservedValue(key: name.string, value: value, date: date, reason: text)
    }
    let key = values.count == 1 ? preserved[0].key : nil
    do throws(FileError) {
      let file = try write(preserved.sorted { $0.key < $1.key })
      let place = file.map { " as '\($0.shortened)'" } ?? ""
      return SettingsError(
        .preserved, key == nil ? "of \(values.count) settings, \(reason)" : reason,
        effect: "it is replaced, and preserved\(place)", key: key, file: path, cause: error)
    } catch {
      throw SettingsError(
        .notWritten, "the stored value cannot be preserved", effect: "nothing was changed",
        key: key, file: path, cause: error)
    }
  }

  /// - Returns: The file; `nil` if the settings are in memory.
  private func write(_ values: [PreservedValue]) throws(FileError) -> FilePath? {
    let known = Dictionary(grouping: try preservedValues().values) { SettingsName($0.key) }
    func kept(_ value: PreservedValue) -> PreservedValue? {
      known[SettingsName(value.key)]?.first { $0.isSame(as: value) }
    }
    let new = values.filter { kept($0) == nil }
    if new.isEmpty { return kept(values[0])?.file }
    if hasNoFiles {
      preservedInMemory.withLock { $0 += new }
      return nil
    }
    return try fileSystem.quarantine(
      PreservedValue.bytes(of: new), of: path, as: Self.preservedSuffix)
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
        values += try PreservedValue.values(in: bytes, of: file)
      } catch {
        damaged.append((file, error))
      }
    }
    return (values.sorted { ($0.date, $0.key) < ($1.date, $1.key) }, damaged)
  }

  /// Removes a preserved value.
  func removePreserved(_ preserved: PreservedValue) throws(FileError) {
    guard let file = preserved.file else {
      return preservedInMemory.withLock { $0.removeAll { $0.isSame(as: preserved) } }
    }
    while let found = try fileSystem.information(at: file),
      let bytes = try fileSystem.readFile(at: file)
    {
      guard let values = try? PreservedValue.values(in: bytes, of: file) else {
        throw FileError(.read, file, .invalidArgument, effect: "the file was kept")
      }
      let others = values.filter { !$0.isSame(as: preserved) }
      if others.count == values.count { return }
      if others.isEmpty {
        // Another process may have removed it, and preserved something else.
        if try fileSystem.information(at: file) == found { try fileSystem.remove(file) }
        return
      }
      var new: FileInformation?
      // Another process may remove another value.
      if try fileSystem.replaceFile(
        at: file, ifStill: found, with: PreservedValue.bytes(of: others), new: &new)
      {
        return
      }
    }
  }

  private static let preservedSuffix = "preserved"

  private var hasNoFiles: Bool { isInMemory || isRemoved.load(ordering: .acquiring) }
}
