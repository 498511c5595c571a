#if Configuration
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// The file that overrides are kept in, an XML property list: their values by key.
struct OverridesFile: Sendable {
  let path: FilePath
  let fileSystem: any FileSystem
  let secrets: ConfigurationSecrets

  /// What the file holds.
  struct Contents: Sendable {
    var bytes: [UInt8]?
    var values: [String: PropertyList.Value] = [:]
    var tree = LayerTree(empty: .overrides)
  }

  /// The file as it is; one that is just being written need not be damaged.
  func read() throws(ConfigurationError) -> Contents {
    try contents(of: try bytes())
  }

  /// The file's bytes, or `nil` where there is none.
  private func bytes() throws(ConfigurationError) -> [UInt8]? {
    do throws(FileError) {
      return try fileSystem.readFile(at: path)
    } catch {
      throw ConfigurationError(
        .unavailable, "the overrides cannot be read", file: path, cause: error)
    }
  }

  private func contents(of bytes: [UInt8]?) throws(ConfigurationError) -> Contents {
    guard let bytes else { return Contents() }
    let value: PropertyList.Value
    do throws(ConfigurationFormat.Fault) {
      value = try ConfigurationFormat.propertyList.parse(bytes, secrets)
    } catch {
      throw ConfigurationError(.unreadable, error.message, file: path, location: error.location)
    }
    guard case .dictionary(let values) = value else {
      throw ConfigurationError(.unreadable, "the overrides are a dictionary", file: path)
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
        code, "this would be in the place of the override '\(error.other)'",
        key: error.path.joined(separator: "."), file: path)
    }
  }

  /// Changes the values as they are in the file now, with all other processes shut out.
  ///
  /// A file that is damaged is set aside, and written anew with what was good in it.
  ///
  /// - Parameter body: Says whether it changed anything.
  /// - Returns: What the file holds now, and the damage that was found.
  /// - Throws: ``ConfigurationError`` where the file cannot be read or written; it is then as it was.
  func change(
    _ body: (inout [String: PropertyList.Value]) -> Bool
  ) throws(ConfigurationError) -> (contents: Contents, damage: ConfigurationError?) {
    let lock = try acquireLock()
    defer { lock.release() }
    let found = try bytes()
    var contents: Contents
    var damage: ConfigurationError?
    do throws(ConfigurationError) {
      contents = try self.contents(of: found)
    } catch {
      contents = Contents(bytes: found, values: Self.sound(in: found ?? []))
      damage = try setAside(found ?? [], error, kept: contents.values.count)
    }
    guard body(&contents.values) || damage != nil else { return (contents, nil) }
    contents.tree = try Self.tree(contents.values, path, .notWritten)
    let bytes = PropertyList.Value.dictionary(contents.values).serializedXML()
    contents.bytes = bytes
    do throws(FileError) {
      try fileSystem.replaceFile(at: path, with: bytes)
    } catch {
      throw ConfigurationError(
        .notWritten, "the overrides cannot be written", file: path, cause: error)
    }
    return (contents, damage)
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

  /// What is good in a damaged file.
  private static func sound(in bytes: [UInt8]) -> [String: PropertyList.Value] {
    var sound: [String: PropertyList.Value] = [:]
    for (key, value) in PropertyList.recover(bytes).entries {
      sound[key] = value
      // One of two values for one key.
      if (try? LayerTree(.overrides, sound)) == nil { sound[key] = nil }
    }
    return sound
  }

  private func setAside(
    _ bytes: [UInt8], _ fault: ConfigurationError, kept: Int
  ) throws(ConfigurationError) -> ConfigurationError {
    do throws(FileError) {
      let aside = try fileSystem.quarantine(bytes, of: path, as: "unreadable")
      var damage = fault
      damage.code = .damaged
      damage.message += "; the file is kept as '\(aside)', and what was good in it, \(kept), counts"
      return damage
    } catch {
      throw ConfigurationError(
        .notWritten, "the damaged overrides cannot be set aside; they stay as they are",
        file: path, cause: error)
    }
  }
}
#endif
