#if Configuration
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// The file that contains overrides: a property list of their values by key, written as XML.
struct OverridesFile: Sendable {
  let path: FilePath
  let fileSystem: any FileSystem
  let secrets: ConfigurationSecrets

  /// The content of the file.
  struct Contents: Sendable {
    var bytes: [UInt8]?
    var values: [String: PropertyList.Value] = [:]
    var tree = LayerTree(empty: .overrides)
  }

  /// How often a change is attempted if other programs change the file at the same time.
  private static let maximumAttemptCount = 100

  /// Reads the file without a lock.
  ///
  /// - Throws: ``ConfigurationError`` with ``ConfigurationError/Code/unreadable`` if the file is damaged,
  ///   which it may be only while a program writes it in place.
  func read() throws(ConfigurationError) -> Contents {
    try contents(of: try accessing { () throws(FileError) in try fileSystem.readFile(at: path) })
  }

  private func accessing<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(ConfigurationError) -> Result {
    do throws(FileError) {
      return try body()
    } catch {
      throw ConfigurationError(
        .unavailable, "the overrides cannot be read", file: path, cause: error)
    }
  }

  private func contents(of bytes: [UInt8]?) throws(ConfigurationError) -> Contents {
    guard let bytes else { return Contents() }
    let document: ConfigurationFormat.Document
    do throws(ConfigurationFormat.ParseError) {
      document = try ConfigurationFormat.propertyList.parse(bytes, secrets)
    } catch {
      throw ConfigurationError(.unreadable, error.message, file: path, location: error.location)
    }
    guard case .dictionary(let values) = document.value else {
      throw ConfigurationError(.unreadable, "the overrides are not a dictionary", file: path)
    }
    return Contents(bytes: bytes, values: values, tree: try Self.tree(values, path, .unreadable))
  }

  static func tree(
    _ values: [String: PropertyList.Value], _ path: FilePath?, _ code: ConfigurationError.Code
  ) throws(ConfigurationError) -> LayerTree {
    do throws(LayerTree.DuplicateName) {
      return try LayerTree(.overrides, values)
    } catch {
      throw ConfigurationError(
        code, "the key overlaps with the override '\(error.other)'",
        key: error.path.joined(separator: "."), file: path)
    }
  }

  /// Changes the current values in the file, while no other process does.
  ///
  /// A damaged file is quarantined, and written again with the intact overrides.
  ///
  /// - Parameter body: Changes the values, and returns whether it did; it may be called again.
  /// - Returns: The new content, and an error that describes the damage if there was any.
  /// - Throws: ``ConfigurationError`` if the file cannot be read or written.
  func change(
    _ body: (inout [String: PropertyList.Value]) -> Bool
  ) throws(ConfigurationError) -> (contents: Contents, damage: ConfigurationError?) {
    let lock = try acquireLock()
    defer { lock.release() }
    // An editor does not use the lock, and after the lock file was removed, another process may hold
    // the lock of a new one: the file is replaced only if it is still the one that was read.
    for _ in 0..<Self.maximumAttemptCount {
      let (information, found) = try accessing { () throws(FileError) in
        (try fileSystem.information(at: path), try fileSystem.readFile(at: path))
      }
      var contents: Contents
      var damage: ConfigurationError?
      do throws(ConfigurationError) {
        contents = try self.contents(of: found)
      } catch {
        contents = Contents(bytes: found, values: Self.intactValues(in: found ?? []))
        damage = try quarantine(found ?? [], error, recoveredCount: contents.values.count)
      }
      guard body(&contents.values) || damage != nil else { return (contents, nil) }
      contents.tree = try Self.tree(contents.values, path, .notWritten)
      let bytes = PropertyList.Value.dictionary(contents.values).serializedXML()
      contents.bytes = bytes
      if try replace(information, with: bytes) { return (contents, damage) }
    }
    throw ConfigurationError(
      .notWritten,
      "other programs changed the overrides during each of \(Self.maximumAttemptCount) attempts",
      effect: "the override was not made; try again", file: path)
  }

  /// Replaces the file, unless it is no longer the one that was read.
  private func replace(
    _ old: FileInformation?, with bytes: [UInt8]
  ) throws(ConfigurationError) -> Bool {
    do throws(FileError) {
      var new: FileInformation?
      return try fileSystem.replaceFile(at: path, ifStill: old, with: bytes, new: &new)
    } catch {
      throw ConfigurationError(
        .notWritten, "the overrides cannot be written", file: path, cause: error)
    }
  }

  /// Acquires the lock that all processes share.
  private func acquireLock() throws(ConfigurationError) -> any FileLock {
    do throws(FileError) {
      let directory = path.removingLastComponent()
      try fileSystem.createDirectories(directory)
      let lock = try fileSystem.lock(
        at: directory.appending((path.lastComponent?.string ?? "") + ".lock"))
      try lock.acquire()
      return lock
    } catch {
      throw ConfigurationError(
        .notWritten, "the overrides cannot be locked", file: path, cause: error)
    }
  }

  /// The intact values of a damaged file.
  private static func intactValues(in bytes: [UInt8]) -> [String: PropertyList.Value] {
    var values: [String: PropertyList.Value] = [:]
    for (key, value) in PropertyList.recover(bytes).entries {
      values[key] = value
      // One of two values for the same name.
      if (try? LayerTree(.overrides, values)) == nil { values[key] = nil }
    }
    return values
  }

  private func quarantine(
    _ bytes: [UInt8], _ error: ConfigurationError, recoveredCount: Int
  ) throws(ConfigurationError) -> ConfigurationError {
    do throws(FileError) {
      let quarantine = try fileSystem.quarantine(bytes, of: path, as: "unreadable")
      var damage = error
      damage.code = .damaged
      damage.effect =
        "the file is kept as '\(quarantine.shortened)', and \(recoveredCount) intact overrides "
        + "remain in effect"
      return damage
    } catch {
      throw ConfigurationError(
        .notWritten, "the damaged overrides cannot be quarantined",
        effect: "they are unchanged", file: path, cause: error)
    }
  }
}
#endif
