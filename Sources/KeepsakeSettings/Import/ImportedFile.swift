import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// A file whose settings are imported, and which another program may be writing.
struct ImportedFile {
  /// A setting as the file contains it.
  struct Setting {
    /// The key in the file.
    let key: String
    /// The value; `nil` if it is null.
    let value: PropertyList.Value?
  }

  private let source: SettingsStore.ImportSource
  private let fileSystem: any FileSystem
  private let acceptsDamage: Bool
  private var entries: [Setting] = []
  /// The damage of the file, if its intact settings were read nevertheless.
  private(set) var damage: SettingsError?

  init(
    _ source: SettingsStore.ImportSource, in fileSystem: any FileSystem, acceptsDamage: Bool
  ) {
    self.source = source
    self.fileSystem = fileSystem
    self.acceptsDamage = acceptsDamage
  }

  /// Reads the file. If it cannot be parsed, it is read again until it has not changed for half a
  /// second, or for five seconds.
  ///
  /// - Returns: Whether it exists.
  mutating func read() throws(SettingsError) -> Bool {
    var last: [UInt8]?
    var unchanged = 0
    for attempt in 0... {
      guard let (bytes, isStable) = try readBytes() else { return false }
      let content = parse(bytes)
      unchanged = bytes == last ? unchanged + 1 : 0
      last = bytes
      let isFinal = unchanged == 25 || attempt == 250
      if let error = content.errors.first {
        if isFinal {
          try accept(content.entries, error, count: content.errors.count)
          return true
        }
      } else if isStable && (source.format != .environmentFile || unchanged > 0) || isFinal {
        // Each beginning of an environment file is one, too: it must have stayed the same for a moment.
        entries = content.entries
        return true
      }
      usleep(20_000)
    }
    return false
  }

  /// - Returns: The bytes, and whether the file did not change while it was read; `nil` if it does not
  ///   exist.
  private func readBytes() throws(SettingsError) -> (bytes: [UInt8], isStable: Bool)? {
    do throws(FileError) {
      guard let (file, before, bytes) = try fileSystem.openAndReadFile(at: source.path) else {
        return nil
      }
      return (bytes, try file.information() == before)
    } catch {
      throw SettingsError(
        .unavailable, "the file cannot be imported",
        effect: "nothing was imported; the next launch tries again", file: source.path,
        cause: error)
    }
  }

  private mutating func accept(
    _ intact: [Setting], _ error: any Error, count: Int
  ) throws(SettingsError) {
    let others = count > 1 ? ", and there are \(count - 1) more errors" : ""
    var problem = SettingsError(
      .damaged, "the file to import is damaged\(others)", file: source.path, cause: error)
    if acceptsDamage && source.format == .propertyList {
      problem.effect = "its \(intact.count) intact settings were imported, and the file was kept"
      damage = problem
      entries = intact
      return
    }
    let advice =
      intact.isEmpty
      ? "the next launch tries again"
      : "its \(intact.count) intact settings can be imported with 'acceptsDamage: true'"
    problem.effect = "nothing was imported, and the file was kept; \(advice)"
    throw problem
  }

  // MARK: Formats

  private func parse(_ bytes: [UInt8]) -> (entries: [Setting], errors: [any Error]) {
    switch source.format {
    case .propertyList:
      let recovery = PropertyList.recover(bytes)
      return (recovery.entries.map { Setting(key: $0.key, value: $0.value) }, recovery.errors)
    case .json:
      do throws(JSON.ParseError) {
        let value = try JSON.Value(
          parsing: bytes, syntax: [.comments, .trailingCommas], duplicateKeys: .error)
        guard case .object(let object) = value else {
          return ([], [TextError(line: 1, column: 1, message: "the JSON is not an object")])
        }
        return (object.map { Setting(key: $0.key, value: PropertyList.Value($0.value)) }, [])
      } catch {
        return ([], [error])
      }
    case .environmentFile:
      do throws(TextError) {
        return (try EnvironmentFile.parse(bytes).map { Setting(key: $0.key, value: $0.value) }, [])
      } catch {
        return ([], [error])
      }
    }
  }

  // MARK: Names

  /// The settings to import by their names in the store, and those that are not imported.
  func settings(
    renaming names: [String: String]
  ) -> (settings: [SettingsName: Setting], skipped: [SettingsStore.ImportResult.Skipped]) {
    var settings: [SettingsName: Setting] = [:]
    var skipped: [SettingsStore.ImportResult.Skipped] = []
    let newNames = Dictionary(
      names.map { (SettingsName($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    for entry in entries {
      let newName = newNames[SettingsName(entry.key)]
      let name = SettingsName(newName ?? entry.key)
      if entry.value == nil {
        skipped.append(.init(key: entry.key, reason: .null))
      } else if newName == nil && Self.isForeign(entry.key) || SettingsStore.isReserved(name) {
        skipped.append(.init(key: entry.key, reason: .notOfApp))
      } else if let other = settings[name] {
        // The setting that has the name already takes precedence over one that is given it.
        let loser = newName == nil ? other : entry
        if newName == nil { settings[name] = entry }
        skipped.append(.init(key: loser.key, reason: .sameName))
      } else {
        settings[name] = entry
      }
    }
    return (settings, skipped)
  }

  /// Whether a key of `UserDefaults` belongs to the operating system.
  private static func isForeign(_ key: String) -> Bool {
    ["Apple", "NS", "com.apple."].contains { key.hasPrefix($0) }
  }
}
