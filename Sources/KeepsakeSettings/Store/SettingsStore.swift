import KeepsakeBase
public import KeepsakeCoding
public import KeepsakeFiles
import Logging
package import SystemPackage

/// The settings of an app: values by key that outlive the process.
///
/// ```swift
/// let store = SettingsStore.standard
/// store[SettingsKey("rating", default: 0)] = 4
/// ```
///
/// After a write returns, the change survives any termination of the process; after
/// ``synchronize()`` it also survives a power cut. Reading never touches the disk. Any number of
/// processes can open the same settings; each receives the others' changes. The settings are stored
/// as one XML property list that a person can read and edit.
///
/// A value is looked up in layers (``SettingsLayer``): the command line, the administrator's
/// settings, the app's own settings, its groups', those shared by all apps, registered defaults.
/// Writes go to the app's own settings.
public final class SettingsStore: Sendable {
  @usableFromInline let layers: SettingsLayers
  private let reporter: ProblemReporter<SettingsError>
  /// What keeps the settings in agreement with those of other machines.
  package let sharing = Mutex<(any SettingsSharing)?>(nil)

  /// Opens an app's settings.
  ///
  /// - Parameters:
  ///   - container: The app's directories.
  ///   - suite: The name of settings to open instead of the app's own; several apps may share them.
  ///   - groups: The suites that are searched for values that the app's own settings do not
  ///     contain.
  ///   - arguments: The command line, whose `-key value` pairs take precedence over all else.
  ///   - fileSystem: The file system that contains the directories.
  ///   - onProblem: Receives every problem that is not thrown to a caller, for example a damaged
  ///     file, a stored value of a wrong type or a failed flush. It is called soon after, with one
  ///     problem at a time, on a thread that holds no lock; it may use the store. By default
  ///     problems are logged.
  /// - Throws: ``SettingsError`` if the settings exist and cannot be read; unavailable settings are
  ///   never treated as empty. If another program is writing the property list in place while other
  ///   processes have it open, this waits for up to five seconds.
  /// - Complexity: O(*n*) in the number of stored settings.
  public convenience init(
    container: AppContainer = .main, suite: String? = nil, groups: [String] = [],
    arguments: [String] = CommandLine.arguments, fileSystem: any FileSystem = LocalFileSystem(),
    onProblem: (@Sendable (SettingsError) -> Void)? = nil
  ) throws(SettingsError) {
    try self.init(
      container: container, suite: suite, groups: groups, arguments: arguments,
      fileSystem: fileSystem, isAutomatic: true, onProblem: onProblem)
  }

  package convenience init(
    container: AppContainer, suite: String? = nil, groups: [String] = [],
    arguments: [String] = [], fileSystem: any FileSystem, isAutomatic: Bool,
    onProblem: (@Sendable (SettingsError) -> Void)? = nil
  ) throws(SettingsError) {
    let reporter = ProblemReporter(onProblem ?? Self.log)
    let report: @Sendable (SettingsError) -> Void = { reporter.report($0) }
    let open = { (path: FilePath, isReadOnly: Bool) throws(SettingsError) in
      try SettingsFile(
        opening: path, in: fileSystem, isReadOnly: isReadOnly, isAutomatic: isAutomatic,
        report: report)
    }
    var opened: [SettingsFile] = []
    do throws(SettingsError) {
      for group in groups {
        opened.append(try open(container.preferencesFile(suite: group), false))
      }
      opened.append(try open(container.preferencesFile(suite: suite), false))
      opened.append(try open(container.managedPreferences, true))
      opened.append(try open(container.globalPreferences, true))
    } catch {
      for file in opened { file.close() }
      throw error
    }
    let others = opened[groups.count...]
    self.init(
      app: others[groups.count], managed: others[groups.count + 1],
      groups: zip(groups, opened).map { ($0, $1) }, global: others[groups.count + 2],
      arguments: Self.settings(in: arguments), reporter: reporter)
  }

  /// Opens one property list without other layers.
  ///
  /// - Parameter isDerived: Whether its values say nothing about other files that are put in the place of its own, so
  ///   that none of them is added to those.
  package convenience init(
    file: FilePath, fileSystem: any FileSystem, isAutomatic: Bool = true, isDerived: Bool = false,
    onProblem: (@Sendable (SettingsError) -> Void)? = nil
  ) throws(SettingsError) {
    let reporter = ProblemReporter(onProblem ?? Self.log)
    let report: @Sendable (SettingsError) -> Void = { reporter.report($0) }
    self.init(
      app: try SettingsFile(
        opening: file, in: fileSystem, isAutomatic: isAutomatic, isDerived: isDerived,
        report: report),
      reporter: reporter)
  }

  /// Creates settings in memory, for tests and previews.
  ///
  /// - Parameter onProblem: Receives every problem that is not thrown to a caller.
  public static func inMemory(
    onProblem: (@Sendable (SettingsError) -> Void)? = nil
  ) -> SettingsStore {
    let reporter = ProblemReporter(onProblem ?? Self.log)
    return SettingsStore(
      app: SettingsFile(inMemoryNamed: "in memory"), reporter: reporter)
  }

  /// Settings that could not be opened: reads return defaults, and writes fail.
  static func unavailable(_ error: SettingsError, container: AppContainer) -> SettingsStore {
    SettingsStore(
      app: SettingsFile(unavailable: error, path: container.preferencesFile()),
      reporter: ProblemReporter(Self.log))
  }

  private init(
    app: SettingsFile, managed: SettingsFile? = nil,
    groups: [(name: String, file: SettingsFile)] = [], global: SettingsFile? = nil,
    arguments: [SettingsName: PropertyList.Value] = [:],
    reporter: ProblemReporter<SettingsError>
  ) {
    layers = SettingsLayers(
      arguments: arguments, managed: managed, app: app, groups: groups, global: global)
    self.reporter = reporter
    layers.observeFiles()
  }

  deinit {
    sharing.withLock { $0 }?.end()
    layers.close()
  }

  var app: SettingsFile { layers.app }

  // MARK: Reading

  /// The value of a setting, or its default if none is stored.
  ///
  /// If the stored value has another type, this returns the default and reports a problem. A change
  /// that fails is reported and not made. To receive these errors, use ``value(for:)`` and
  /// ``set(_:for:)``.
  @inlinable
  public subscript<Value>(key: SettingsKey<Value>) -> Value {
    get {
      guard let stored = layers.read(key.id) else { return key.defaultValue }
      do {
        return try key.coding.decode(stored)
      } catch {
        return decodeAgain(key)
      }
    }
    set { setOrReport(newValue, for: key) }
  }

  /// Returns the value of a setting, or its default if none is stored.
  ///
  /// - Throws: ``SettingsError`` if the stored value has another type, or if the settings cannot be
  ///   read.
  public func value<Value>(for key: SettingsKey<Value>) throws(SettingsError) -> Value {
    if let error = app.unavailability { throw error }
    let slot = layers.slot(named: key.id)
    slot.access()
    guard let stored = slot.stored else { return key.defaultValue }
    let (value, problem) = try decode(stored, from: slot.state.withLock { $0.layer }, as: key)
    if let problem, slot.isFirstReport() { report(problem) }
    return value
  }

  /// Returns the layer that a setting's value comes from, or `nil` if the key's default is used.
  public func layer<Value>(of key: SettingsKey<Value>) -> SettingsLayer? {
    layers.slot(named: key.id).state.withLock { $0.layer }
  }

  /// The names of all of the app's own settings, sorted.
  ///
  /// - Complexity: O(*n* log *n*).
  public var names: [String] { app.all.keys.map(\.string).sorted(by: PropertyList.precedes) }

  // MARK: Writing

  /// Changes a setting; `nil` removes it.
  ///
  /// When this returns, the change survives any termination of the process.
  ///
  /// - Throws: ``SettingsError`` if the value cannot be encoded or the change cannot be written;
  ///   the setting is then unchanged.
  @inlinable
  public func set<Value>(_ value: Value, for key: SettingsKey<Value>) throws(SettingsError) {
    let stored: PropertyList.Value?
    do {
      stored = try key.coding.encodeChecked(value)
    } catch {
      throw unencodable(key.id, error)
    }
    var unseen: PropertyList.Value?
    if try !layers.store(
      stored, for: key.id, as: ObjectIdentifier(Value.self),
      isConditional: key.coding.evolution != nil, unseen: &unseen)
    {
      try replaceUnknown(with: stored, for: key)
    } else if let unseen {
      preserveIfUnreadable(unseen, of: key)
    }
  }

  /// Removes a setting from the app's own settings.
  ///
  /// - Throws: ``SettingsError`` if the change cannot be written.
  public func remove<Value>(_ key: SettingsKey<Value>) throws(SettingsError) {
    var unseen: PropertyList.Value?
    if try !layers.store(
      nil, for: key.id, as: ObjectIdentifier(Value.self), isConditional: false, unseen: &unseen)
    {
      try replaceUnknown(with: nil, for: key)
    } else if let unseen {
      preserveIfUnreadable(unseen, of: key)
    }
  }

  /// Registers default values for settings that are not stored, until the process ends.
  ///
  /// - Parameter defaults: Values by key; they are added to those of earlier calls.
  public func register(defaults: [String: any SettingsValue]) {
    var values: [SettingsName: PropertyList.Value] = [:]
    for (key, value) in defaults {
      if let value = value.propertyList { values[SettingsName(key)] = value }
    }
    layers.register(values)
  }

  /// Registers the defaults of some keys until the process ends, for reads through other keys of
  /// the same names.
  ///
  /// A default that cannot be encoded is reported and not registered.
  ///
  /// - Parameter keys: The settings; they are added to those of earlier calls.
  public func register<each Value>(defaults keys: repeat SettingsKey<each Value>) {
    var defaults: [SettingsName: PropertyList.Value] = [:]
    for key in repeat each keys {
      do {
        defaults[key.id] = try key.coding.encodeChecked(key.defaultValue)
      } catch {
        report(unencodable(key.id, error))
      }
    }
    layers.register(defaults)
  }

  /// Changes several settings atomically.
  ///
  /// No other writer, in this process or another, changes a setting between the body's reads
  /// through its parameter and its changes. If another process changes one of those settings
  /// meanwhile, the body runs again, so it should have no other side effects. A stored value of
  /// another type reads as the default and is reported afterwards. The body must not wait for a
  /// thread that changes the store; a change through this store, other than through the body's
  /// parameter, throws an error with the code ``SettingsError/Code/inTransaction``.
  ///
  /// - Parameter body: Reads and changes settings; if it throws, nothing is changed.
  /// - Throws: Errors of the body; ``SettingsError`` if the changes cannot be written, or, with the
  ///   code ``SettingsError/Code/conflict``, if other processes changed the same settings during
  ///   each of 100 attempts.
  public func transaction<Result>(
    _ body: (inout SettingsStore.Transaction) throws -> Result
  ) throws -> Result {
    let problems = SettingsStore.Transaction.Problems()
    defer { problems.all.forEach(report) }
    let (names, reads, result) = try app.transact {
      problems.all = []
      var transaction = SettingsStore.Transaction(store: self, problems: problems)
      let result = try body(&transaction)
      if let failure = transaction.failure { throw failure }
      let changes = transaction.changes
      let reads = transaction.readNames.subtracting(changes.map(\.name))
      return (changes, Array(reads), nil, result)
    }
    layers.refresh(names, reads: reads)
    return result
  }

  @inlinable
  func setOrReport<Value>(_ value: Value, for key: SettingsKey<Value>) {
    do throws(SettingsError) {
      try set(value, for: key)
    } catch {
      report(error)
    }
  }

  @usableFromInline
  func unencodable(_ name: SettingsName, _ error: any Error) -> SettingsError {
    if error is InvalidValue {
      return SettingsError(
        .invalid, "the value is not valid", effect: "the old value was kept", key: name.string,
        cause: error)
    }
    return SettingsError(
      .unencodable, "the value cannot be stored in a property list",
      effect: "the old value was kept",
      key: name.string, file: app.path, cause: error)
  }

  /// Reports a problem that is not thrown to a caller.
  @usableFromInline
  package func report(_ error: SettingsError) {
    reporter.report(error)
  }

  // MARK: Decoding

  /// Decodes a setting; on failure reports the error and returns the default.
  @usableFromInline
  func decodeAgain<Value>(_ key: SettingsKey<Value>) -> Value {
    let slot = layers.slot(named: key.id)
    let (stored, layer) = slot.state.withLock { ($0.value, $0.layer) }
    return decode(stored, from: layer, of: slot, as: key)
  }

  /// Decodes a slot's value; on failure returns the default. Reports an error, or that the value is
  /// incomplete, once.
  func decode<Value>(
    _ stored: PropertyList.Value?, from layer: SettingsLayer?, of slot: SettingsSlot,
    as key: SettingsKey<Value>
  ) -> Value {
    guard let stored else { return key.defaultValue }
    do throws(SettingsError) {
      let (value, problem) = try decode(stored, from: layer, as: key)
      if let problem, slot.isFirstReport() { report(problem) }
      return value
    } catch {
      if slot.isFirstReport() { report(error) }
      return key.defaultValue
    }
  }

  /// Decodes a value that is stored in a layer.
  ///
  /// - Returns: The value; if keys were taken from the default, also an error that names them.
  func decode<Value>(
    _ stored: PropertyList.Value, from layer: SettingsLayer?, as key: SettingsKey<Value>
  ) throws(SettingsError) -> (value: Value, problem: SettingsError?) {
    do {
      return (try key.coding.decode(stored), nil)
    } catch {
      if layer == .arguments, case .string(let text) = stored,
        let value = decodeArgument(text, as: key)
      {
        return (value, nil)
      }
      if case DecodingError.keyNotFound = error,
        let (value, filled) = try? key.coding.evolution?.decode(stored, key.defaultValue)
      {
        let names = filled.map { "'\($0)'" }.joined(separator: ", ")
        let problem = SettingsError(
          .incomplete, "the stored value has no \(names)", effect: "the default's is used",
          key: key.name,
          file: layers.path(of: layer))
        return (value, problem)
      }
      if error is InvalidValue {
        throw SettingsError(
          .invalid, "the stored value is not valid", effect: "it was kept, and the default is used",
          key: key.name, file: layers.path(of: layer), cause: error)
      }
      throw SettingsError(
        .wrongType, "the stored value has another type",
        effect: "it was kept, and the default is used",
        key: key.name, file: layers.path(of: layer), cause: error)
    }
  }
}
