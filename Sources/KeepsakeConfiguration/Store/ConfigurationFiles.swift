#if Configuration
import KeepsakeBase
import KeepsakeCoding
import KeepsakeFiles
import SystemPackage

/// The files of a configuration: follows their changes, and writes the overrides.
final class ConfigurationFiles: Sendable {
  let environment: String?
  private let store: ConfigurationStore
  private let file: FilePath?
  private let overrides: OverridesFile?
  private let fileSystem: any FileSystem
  private let state: Mutex<State>

  private struct State {
    /// What the file held when it was last looked at.
    var bytes: [UInt8]?
    var overrides = OverridesFile.Contents()
    /// What was last told of each file.
    var problems: [FilePath: String] = [:]
    var watches: [FilePath: any FileWatch] = [:]
    /// Files that are not followed, which was told.
    var unwatched: Set<FilePath> = []
  }

  /// What a look at the files found wrong, to be told with no lock held.
  private typealias Problems = [ConfigurationError]

  /// Reads the overrides, and follows both files from now on.
  ///
  /// - Parameter bytes: What the file held when the layers were made of it.
  init(
    file: FilePath?, bytes: [UInt8]?, overrides: FilePath?, environment: String?,
    in fileSystem: any FileSystem, store: ConfigurationStore
  ) throws(ConfigurationError) {
    self.file = file
    self.overrides = overrides.map {
      OverridesFile(path: $0, fileSystem: fileSystem, secrets: store.secrets)
    }
    self.environment = environment
    self.fileSystem = fileSystem
    self.store = store
    state = Mutex(State(bytes: bytes))
    var problems: Problems = []
    try state.withLock { (state) throws(ConfigurationError) in
      try open(&state, &problems)
      watch(&state, &problems)
    }
    problems.forEach(store.tell)
    // Before it was watched a file may have changed.
    reload()
  }

  private func open(
    _ state: inout State, _ problems: inout Problems
  ) throws(ConfigurationError) {
    guard let overrides else { return }
    do throws(ConfigurationError) {
      take(try overrides.read(), &state)
    } catch {
      if error.code != .unreadable { throw error }
      let (contents, damage) = try overrides.change { _ in false }
      take(contents, &state)
      if let damage { problems.append(damage) }
    }
  }

  /// Reads a configuration's file.
  static func read(
    _ file: FilePath, in fileSystem: any FileSystem
  ) throws(ConfigurationError) -> [UInt8] {
    do throws(FileError) {
      if let bytes = try fileSystem.readFile(at: file) { return bytes }
    } catch {
      throw ConfigurationError(
        .unavailable, "the configuration cannot be read", file: file, cause: error)
    }
    throw ConfigurationError(.unavailable, "there is no such configuration", file: file)
  }

  // MARK: Following

  private func watch(_ state: inout State, _ problems: inout Problems) {
    for path in [file, overrides?.path].compactMap(\.self) {
      do throws(FileError) {
        // Once a directory is watched, one in it may be there already.
        while true {
          let directory = try nearestDirectory(of: path)
          if state.watches[directory] != nil { break }
          state.watches[directory] = try fileSystem.watch(directory: directory) { [weak self] _ in
            self?.reload()
          }
        }
      } catch {
        guard state.unwatched.insert(path).inserted else { continue }
        problems.append(
          ConfigurationError(
            .unavailable, "changes of the file are not followed", file: path, cause: error))
      }
    }
  }

  /// The directory that a file is in or, as long as nobody has made that, the nearest in which somebody
  /// would.
  private func nearestDirectory(of path: FilePath) throws(FileError) -> FilePath {
    var directory = path
    repeat {
      directory = directory.removingLastComponent()
      if directory.isEmpty { return "." }
    } while try fileSystem.information(at: directory) == nil && !directory.components.isEmpty
    return directory
  }

  /// Looks at the files, and takes over what changed in them; what cannot be read stays as it was.
  private func reload() {
    var problems: Problems = []
    state.withLock { state in
      // Somebody may have made the directory of the overrides.
      watch(&state, &problems)
      if let file {
        attempt(file, &state, &problems) { (state) throws(ConfigurationError) in
          let bytes = try Self.read(file, in: fileSystem)
          if bytes == state.bytes { return }
          let new = try ConfigurationFile(
            parsing: bytes, of: file, environment: environment, store.secrets)
          state.bytes = bytes
          store.change { $0.file = new }
        }
      }
      if let overrides {
        attempt(overrides.path, &state, &problems) { (state) throws(ConfigurationError) in
          let contents = try overrides.read()
          if contents.bytes != state.overrides.bytes { take(contents, &state) }
        }
      }
    }
    store.wake()
    problems.forEach(store.tell)
  }

  /// Looks at a file; what is wrong with it is told once for as long as it stays so.
  private func attempt(
    _ file: FilePath, _ state: inout State, _ problems: inout Problems,
    _ body: (inout State) throws(ConfigurationError) -> Void
  ) {
    do throws(ConfigurationError) {
      try body(&state)
      state.problems[file] = nil
    } catch {
      let old = state.problems.updateValue("\(error)", forKey: file)
      if old == "\(error)" { return }
      var problem = error
      problem.message += "; the values from before count"
      problems.append(problem)
    }
  }

  // MARK: Overrides

  /// Sets an override, or removes it.
  ///
  /// - Throws: ``ConfigurationError`` where it cannot be written; what the file holds then counts.
  func setOverride(
    _ value: PropertyList.Value?, for name: ConfigurationName
  ) throws(ConfigurationError) {
    func apply(_ values: inout [String: PropertyList.Value]) -> Bool {
      Self.set(value, for: name, in: &values)
    }
    var problems: Problems = []
    do throws(ConfigurationError) {
      try state.withLock { (state) throws(ConfigurationError) in
        if let overrides {
          let (contents, damage) = try overrides.change(apply)
          take(contents, &state)
          if let damage { problems.append(damage) }
          watch(&state, &problems)
        } else {
          var contents = state.overrides
          if !apply(&contents.values) { return }
          contents.tree = try OverridesFile.tree(contents.values, nil, .notWritten)
          take(contents, &state)
        }
      }
      store.wake()
    } catch {
      // If all but the last flush went well, the file has the new value.
      reload()
      throw error
    }
    problems.forEach(store.tell)
  }

  /// The overrides as they would be with another.
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

  private func take(_ contents: OverridesFile.Contents, _ state: inout State) {
    state.overrides = contents
    store.change { $0.overrides = contents.tree }
  }
}
#endif
