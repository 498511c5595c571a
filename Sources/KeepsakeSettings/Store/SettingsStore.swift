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
/// A change that has returned survives the death of the process, however it dies, and after
/// ``synchronize()`` a power cut too. Reading never touches the disk. Any number of processes
/// can open the same settings; each sees the others' changes as they come. At rest the settings are
/// one XML property list that a person can read and edit.
///
/// A value is looked for in layers (``SettingsLayer``): the command line, what an administrator
/// decided, the app's own settings, its groups', those shared by all apps, registered defaults.
/// What is set here goes to the app's own.
public final class SettingsStore: Sendable {
  @usableFromInline let layers: SettingsLayers
  private let reporter: ProblemReporter<SettingsError>

  /// Opens an app's settings.
  ///
  /// - Parameters:
  ///   - container: The app's directories.
  ///   - suite: The name of other settings than the app's own, which several apps may share.
  ///   - groups: The suites to look in for what the app's own settings do not have.
  ///   - arguments: The command line, whose `-key value` pairs count before anything else.
  ///   - fileSystem: Where the directories are.
  ///   - onProblem: Receives every problem that no caller receives as an error: a file that was damaged, a
  ///     stored value of a wrong type, a flush that the disk refused. It is called soon after, with one
  ///     problem at a time, on a thread that holds no lock: it may use the store. By default the
  ///     problem is logged.
  /// - Throws: ``SettingsError`` where settings are there that cannot be read: what is unavailable
  ///   is not taken for empty. A property list that somebody is writing in place, while other processes
  ///   have it open, is waited for, five seconds at most.
  /// - Complexity: O(*n*) in the settings stored.
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

  /// Opens one property list, with no layers above or below it.
  package convenience init(
    file: FilePath, fileSystem: any FileSystem, isAutomatic: Bool = true,
    onProblem: (@Sendable (SettingsError) -> Void)? = nil
  ) throws(SettingsError) {
    let reporter = ProblemReporter(onProblem ?? Self.log)
    let report: @Sendable (SettingsError) -> Void = { reporter.report($0) }
    self.init(
      app: try SettingsFile(
        opening: file, in: fileSystem, isAutomatic: isAutomatic, report: report),
      reporter: reporter)
  }

  /// Makes settings that live as long as the object, for tests and previews.
  ///
  /// - Parameter onProblem: Told of every fault that no caller hears of.
  public static func inMemory(
    onProblem: (@Sendable (SettingsError) -> Void)? = nil
  ) -> SettingsStore {
    let reporter = ProblemReporter(onProblem ?? Self.log)
    return SettingsStore(
      app: SettingsFile(inMemoryNamed: "in memory"), reporter: reporter)
  }

  /// Settings of which nothing can be said: every default counts, and nothing can be set.
  static func unavailable(_ error: SettingsError, container: AppContainer) -> SettingsStore {
    SettingsStore(
      app: SettingsFile(unavailable: error, path: container.preferencesFile()),
      reporter: ProblemReporter(Self.log))
  }

  private init(
    app: SettingsFile, managed: SettingsFile? = nil,
    groups: [(name: String, file: SettingsFile)] = [], global: SettingsFile? = nil,
    arguments: [String: PropertyList.Value] = [:],
    reporter: ProblemReporter<SettingsError>
  ) {
    layers = SettingsLayers(
      arguments: arguments, managed: managed, app: app, groups: groups, global: global)
    self.reporter = reporter
    layers.listen()
  }

  deinit { layers.close() }

  var app: SettingsFile { layers.app }

  // MARK: Reading

  /// The value of a setting, or its default where none is stored.
  ///
  /// A stored value of another type gives the default too, and is reported as a problem; a change
  /// that cannot be made is reported and not made. Where that must be known, use ``value(for:)`` and
  /// ``set(_:for:)``.
  @inlinable
  public subscript<Value>(key: SettingsKey<Value>) -> Value {
    get {
      guard let stored = layers.read(key.id) else { return key.defaultValue }
      do {
        return try key.coding.decode(stored)
      } catch {
        return decodeAnew(key)
      }
    }
    set { setOrReport(newValue, for: key) }
  }

  /// The value of a setting, or its default where none is stored.
  ///
  /// - Throws: ``SettingsError`` where the stored value is of another type, or where the settings
  ///   cannot be read.
  public func value<Value>(for key: SettingsKey<Value>) throws(SettingsError) -> Value {
    if let error = app.unavailability { throw error }
    let slot = layers.slot(named: key.id)
    slot.access()
    guard let stored = slot.stored else { return key.defaultValue }
    return try decode(stored, from: slot.state.withLock { $0.layer }, as: key)
  }

  /// Where the value of a setting comes from, or `nil` where its default counts.
  public func layer<Value>(of key: SettingsKey<Value>) -> SettingsLayer? {
    layers.slot(named: key.id).state.withLock { $0.layer }
  }

  /// The names of all settings that the app itself keeps, sorted.
  ///
  /// - Complexity: O(*n* log *n*).
  public var names: [String] { app.all.keys.sorted(by: PropertyList.precedes) }

  // MARK: Writing

  /// Changes a setting; `nil` removes it.
  ///
  /// When this returns, the change survives the death of the process.
  ///
  /// - Throws: ``SettingsError`` where the value cannot be encoded or the change cannot be written; it
  ///   is then not made.
  @inlinable
  public func set<Value>(_ value: Value, for key: SettingsKey<Value>) throws(SettingsError) {
    let stored: PropertyList.Value?
    do {
      stored = try key.coding.encodeChecked(value)
    } catch {
      throw unencodable(key.id, error)
    }
    try layers.store(stored, for: key.id)
  }

  /// Removes a setting, so that its default counts again.
  ///
  /// - Throws: ``SettingsError`` where that cannot be written.
  public func remove<Value>(_ key: SettingsKey<Value>) throws(SettingsError) {
    try layers.store(nil, for: key.id)
  }

  /// Sets what counts where nothing is stored, until the process ends.
  ///
  /// - Parameter defaults: Values by key; a later call adds to an earlier one's.
  public func register(defaults: [String: any SettingsValue]) {
    layers.register(defaults.compactMapValues(\.propertyList))
  }

  /// Sets what counts where nothing is stored, until the process ends: the defaults of some keys, for
  /// whoever asks by another key of the same name.
  ///
  /// A default that cannot be encoded is reported and not registered.
  ///
  /// - Parameter keys: The settings; a later call adds to an earlier one's.
  public func register<each Value>(defaults keys: repeat SettingsKey<each Value>) {
    var defaults: [String: PropertyList.Value] = [:]
    for key in repeat each keys {
      do {
        defaults[key.name] = try key.coding.encodeChecked(key.defaultValue)
      } catch {
        report(unencodable(key.id, error))
      }
    }
    layers.register(defaults)
  }

  /// Changes several settings in one step: all of them or none.
  ///
  /// No other writer, in this process or another, comes between what the body reads through its
  /// parameter and what it changes. Where another process changed one of those settings meanwhile, the
  /// body runs again, so that it should have no other effects. A stored value of another type gives
  /// the default and is reported afterwards. The body must not wait for a thread that changes the
  /// store; a change through this store, other than through the body's parameter, throws an error with
  /// the code ``SettingsError/Code/inTransaction``.
  ///
  /// - Parameter body: Reads and changes settings; what it throws leaves everything as it was.
  /// - Throws: What the body throws, and ``SettingsError`` where the changes cannot be written, or, with
  ///   the code ``SettingsError/Code/conflict``, where other processes changed the same settings during
  ///   each of 100 attempts.
  public func transaction<Result>(
    _ body: (inout SettingsTransaction) throws -> Result
  ) throws -> Result {
    let faults = SettingsTransaction.Faults()
    defer { faults.all.forEach(report) }
    let (names, result): ([SettingsName], Result) = try app.transact {
      faults.all = []
      var transaction = SettingsTransaction(store: self, faults: faults)
      let result = try body(&transaction)
      if let failure = transaction.failure { throw failure }
      return (transaction.changes, transaction.readNames, result)
    }
    layers.refresh(names)
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
    SettingsError(
      .unencodable, "the value cannot be kept in a property list; the old one stays",
      key: name.string, file: app.path, cause: error)
  }

  /// Tells of a fault that no caller hears of.
  @usableFromInline
  package func report(_ error: SettingsError) {
    reporter.report(error)
  }

  // MARK: Decoding

  /// The value of a setting, or the default and a report.
  @usableFromInline
  func decodeAnew<Value>(_ key: SettingsKey<Value>) -> Value {
    let slot = layers.slot(named: key.id)
    return decode(slot.stored, of: slot, as: key)
  }

  /// The value of what a slot holds, or the default and a report.
  func decode<Value>(
    _ stored: PropertyList.Value?, of slot: SettingsSlot, as key: SettingsKey<Value>
  ) -> Value {
    guard let stored else { return key.defaultValue }
    do throws(SettingsError) {
      return try decode(stored, from: slot.state.withLock { $0.layer }, as: key)
    } catch {
      if slot.isFirstReport() { report(error) }
      return key.defaultValue
    }
  }

  /// The value of what is stored in a layer.
  func decode<Value>(
    _ stored: PropertyList.Value, from layer: SettingsLayer?, as key: SettingsKey<Value>
  ) throws(SettingsError) -> Value {
    do {
      return try key.coding.decode(stored)
    } catch {
      if layer == .arguments, case .string(let text) = stored,
        let value = decodeArgument(text, as: key)
      {
        return value
      }
      throw SettingsError(
        .wrongType, "the stored value is of another type; the default counts, and it stays stored",
        key: key.name, file: layers.path(of: layer), cause: error)
    }
  }
}
