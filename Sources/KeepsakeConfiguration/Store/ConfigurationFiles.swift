#if Configuration
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// The files of a configuration: reads them again when they change, and writes the overrides.
final class ConfigurationFiles: Sendable {
  private let store: ConfigurationStore
  private let file: FilePath?
  private let sections: ConfigurationFile.Sections
  private let overrides: OverridesFile?
  private let fileSystem: any FileSystem
  private let state: Mutex<State>

  private struct State {
    /// The bytes of the file when it was last read.
    var bytes: [UInt8]?
    var overrides = OverridesFile.Contents()
    /// The reason that each file cannot be read, which was reported.
    var problems: [FilePath: ConfigurationError] = [:]
    var watches: [FilePath: any FileWatch] = [:]
    /// The files that cannot be watched, which was reported.
    var unwatched: Set<FilePath> = []
  }

  /// Reads the overrides, and watches both files.
  ///
  /// - Parameter bytes: The bytes of the file from which the layers were made.
  init(
    file: FilePath?, bytes: [UInt8]?, _ sections: ConfigurationFile.Sections,
    overrides: FilePath?, in fileSystem: any FileSystem, store: ConfigurationStore
  ) throws(ConfigurationError) {
    self.file = file
    self.sections = sections
    self.overrides = overrides.map {
      OverridesFile(path: $0, fileSystem: fileSystem, secrets: store.secrets)
    }
    self.fileSystem = fileSystem
    self.store = store
    state = Mutex(State(bytes: bytes))
    try state.withLock { (state) throws(ConfigurationError) in
      try openOverrides(&state)
      watch(&state)
    }
    // A file may have changed before it was watched.
    reload()
  }

  private func openOverrides(_ state: inout State) throws(ConfigurationError) {
    guard let overrides else { return }
    do throws(ConfigurationError) {
      replaceOverrides(with: try overrides.read(), &state)
    } catch {
      if error.code != .unreadable { throw error }
      let (contents, damage) = try overrides.change { _ in false }
      replaceOverrides(with: contents, &state)
      if let damage { store.report(damage) }
    }
  }

  // MARK: Watching

  /// Watches the directories in which a change can affect the files.
  private func watch(_ state: inout State) {
    var needed: Set<FilePath> = []
    for path in [file, overrides?.path].compactMap(\.self) {
      do throws(FileError) {
        try watchDirectories(of: path, &state, &needed)
      } catch {
        guard state.unwatched.insert(path).inserted else { continue }
        store.report(
          ConfigurationError(
            .unavailable, "changes of the file cannot be watched",
            effect: "the values are those of the last read", file: path, cause: error))
      }
    }
    // A link no longer leads to the other directories.
    state.watches = state.watches.filter { directory, _ in
      needed.contains(directory) || file?.starts(with: directory) == true
        || overrides?.path.starts(with: directory) == true
    }
  }

  private func watchDirectories(
    of path: FilePath, _ state: inout State, _ needed: inout Set<FilePath>
  ) throws(FileError) {
    var removed: Set<FilePath> = []
    while true {
      var directories = [try nearestDirectory(of: path)]
      if path == file, let linked = try? LinkedFile(path, in: fileSystem) {
        directories += linked.linkDirectories + [try nearestDirectory(of: linked.path)]
      }
      needed.formUnion(directories)
      // Once a directory is watched, it may already contain the next one.
      let next = directories.first { state.watches[$0] == nil && !removed.contains($0) }
      guard let directory = next else { return }
      do throws(FileError) {
        state.watches[directory] = try fileSystem.watch(directory: directory) { [weak self] _ in
          self?.reload()
        }
      } catch {
        // An update may have removed the directory to which a link led; then it leads to another.
        guard error.code == .noSuchFileOrDirectory, directory != directories[0] else {
          throw error
        }
        removed.insert(directory)
      }
    }
  }

  /// The directory of a file or, if that does not exist, the nearest one in which it can be created.
  private func nearestDirectory(of path: FilePath) throws(FileError) -> FilePath {
    var directory = path
    repeat {
      directory = directory.removingLastComponent()
      if directory.isEmpty { return "." }
    } while try fileSystem.information(at: directory) == nil && !directory.components.isEmpty
    return directory
  }

  // MARK: Reading

  /// Reads the files, and replaces the values that changed; if a file cannot be read, its values remain.
  private func reload() {
    state.withLock { state in
      // Another process may have created the directory of the overrides, or replaced a link.
      watch(&state)
      if let file {
        read(file, &state) { (state) throws(ConfigurationError) in
          let bytes = try LinkedFile.read(file, in: fileSystem)
          if bytes == state.bytes { return }
          let new = try ConfigurationFile(parsing: bytes, of: file, sections, store.secrets)
          state.bytes = bytes
          store.change { $0.file = new }
        }
      }
      if let overrides {
        read(overrides.path, &state) { (state) throws(ConfigurationError) in
          let contents = try overrides.read()
          if contents.bytes != state.overrides.bytes { replaceOverrides(with: contents, &state) }
        }
      }
    }
    store.resumeWaiters()
  }

  /// Reads a file, and reports a problem once until another occurs.
  private func read(
    _ file: FilePath, _ state: inout State,
    _ body: (inout State) throws(ConfigurationError) -> Void
  ) {
    do throws(ConfigurationError) {
      try body(&state)
      state.problems[file] = nil
    } catch {
      var problem = error
      problem.effect = "the previous values remain in effect"
      let old = state.problems.updateValue(problem, forKey: file)
      if old?.description != problem.description { store.report(problem) }
    }
  }

  /// The reasons that files cannot be read now.
  var problems: [ConfigurationError] {
    state.withLock { state in
      state.problems.sorted { $0.key.string < $1.key.string }.map(\.value)
    }
  }

  // MARK: Overrides

  /// Sets or removes an override.
  ///
  /// - Throws: ``ConfigurationError`` if it cannot be written; the values are then those of the file.
  func setOverride(
    _ value: PropertyList.Value?, for name: ConfigurationName
  ) throws(ConfigurationError) {
    func apply(_ values: inout [String: PropertyList.Value]) -> Bool {
      Self.set(value, for: name, in: &values)
    }
    do throws(ConfigurationError) {
      try state.withLock { (state) throws(ConfigurationError) in
        if let overrides {
          let (contents, damage) = try overrides.change(apply)
          replaceOverrides(with: contents, &state)
          if let damage { store.report(damage) }
          watch(&state)
        } else {
          var contents = state.overrides
          if !apply(&contents.values) { return }
          contents.tree = try OverridesFile.tree(contents.values, nil, .notWritten)
          replaceOverrides(with: contents, &state)
        }
      }
      store.resumeWaiters()
    } catch {
      // If only the last flush failed, the file contains the new value.
      reload()
      throw error
    }
  }

  /// The overrides with one more value.
  func overrides(
    with value: PropertyList.Value, for name: ConfigurationName
  ) throws(ConfigurationError) -> LayerTree {
    var values = currentOverrides
    _ = Self.set(value, for: name, in: &values)
    return try OverridesFile.tree(values, overrides?.path, .notWritten)
  }

  /// - Returns: Whether anything changed.
  private static func set(
    _ value: PropertyList.Value?, for name: ConfigurationName,
    in values: inout [String: PropertyList.Value]
  ) -> Bool {
    let old = values.keys.filter { ConfigurationName($0) == name }
    for key in old { values[key] = nil }
    values[name.spelled] = value
    return value != nil || !old.isEmpty
  }

  var currentOverrides: [String: PropertyList.Value] { state.withLock { $0.overrides.values } }

  private func replaceOverrides(with contents: OverridesFile.Contents, _ state: inout State) {
    state.overrides = contents
    store.change { $0.overrides = contents.tree }
  }
}
#endif
