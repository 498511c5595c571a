import Dispatch
import KeepsakeBase
public import KeepsakeCoding
import SystemPackage

/// The files that contain a store's values, and the keys that were read.
///
/// The owner must close it: until then the files, which report changes on their own threads, keep
/// it alive.
@usableFromInline
final class SettingsLayers: Sendable {
  /// Where a layer's values are.
  private enum Source {
    case arguments(SettingsContents)
    case file(SettingsFile)
    case registered
  }

  let app: SettingsFile
  /// The layers in the order of precedence.
  private let sources: [(layer: SettingsLayer, source: Source)]
  private let registered = Mutex(SettingsContents())
  private let slots = SlotTable()
  let observers = PrefixObservers()

  init(
    arguments: [SettingsName: PropertyList.Value], managed: SettingsFile?, app: SettingsFile,
    groups: [(name: String, file: SettingsFile)], global: SettingsFile?
  ) {
    self.app = app
    var sources: [(layer: SettingsLayer, source: Source)] = [
      (.arguments, .arguments(SettingsContents(arguments)))
    ]
    if let managed { sources.append((.managed, .file(managed))) }
    sources.append((.app, .file(app)))
    sources += groups.map { (.suite($0.name), .file($0.file)) }
    if let global { sources.append((.global, .file(global))) }
    sources.append((.registered, .registered))
    self.sources = sources
  }

  private var files: [(layer: SettingsLayer, file: SettingsFile)] {
    sources.compactMap { if case .file(let file) = $0.source { ($0.layer, file) } else { nil } }
  }

  /// Updates the slots whenever a file changes.
  func observeFiles() {
    for (_, file) in files {
      file.onChange { [self] names, queue in refresh(names, notifyingOn: queue) }
    }
  }

  /// Writes pending changes and closes the files.
  func close() {
    for (_, file) in files {
      file.close()
      file.onChange(nil)
    }
  }

  // MARK: Reading

  /// Reads the stored value; Observation notifies the current observer of the next change.
  @usableFromInline
  func read(_ name: SettingsName) -> PropertyList.Value? {
    if let stored = slots.withSlot(named: name, { $0.read() }) { return stored }
    return slot(named: name).read()
  }

  func slot(named name: SettingsName) -> SettingsSlot {
    if let slot = slots[name] { return slot }
    let slot = slots.slot(named: name) {
      let slot = SettingsSlot(name: name)
      slot.update { resolve(name) }
      return slot
    }
    // A change until now may not have found the slot in the table.
    slot.update { resolve(name) }
    return slot
  }

  /// The effective value for a name: that of the first layer that has one.
  ///
  /// - Parameter change: A pending change of the app's own value.
  func resolve(
    _ name: SettingsName, after change: PropertyList.Value?? = nil
  ) -> SettingsSlot.Resolution {
    let (own, sequence) = app.value(of: name)
    for (layer, source) in sources {
      let value: PropertyList.Value? =
        switch source {
        case .arguments(let values): values[name]
        case .file(let file): file === app ? change ?? own : file.value(of: name).value
        case .registered: registered.withLock { $0[name] }
        }
      if let value { return (value, layer, sequence) }
    }
    return (nil, nil, sequence)
  }

  /// The values of all layers, in the order of precedence. Each layer's are of one moment.
  ///
  /// - Complexity: O(1), and the next change of a file copies the changes of its journal.
  var snapshot: [(layer: SettingsLayer, values: SettingsContents)] {
    sources.map { layer, source in
      switch source {
      case .arguments(let values): (layer, values)
      case .file(let file): (layer, file.contents.withLock { $0 })
      case .registered: (layer, registered.withLock { $0 })
      }
    }
  }

  /// The file of a layer, if it has one.
  func path(of layer: SettingsLayer?) -> FilePath? {
    files.first { $0.layer == layer }?.file.path
  }

  // MARK: Writing

  /// Changes a value, unless the caller must examine the value that it replaces; see
  /// ``SettingsFile/write(_:for:as:examined:isConditional:unseen:)``.
  ///
  /// - Returns: Whether the change was made.
  @usableFromInline
  func store(
    _ value: PropertyList.Value?, for name: SettingsName, as type: ObjectIdentifier?,
    examined: PropertyList.Value? = nil, isConditional: Bool, unseen: inout PropertyList.Value?
  ) throws(SettingsError) -> Bool {
    guard
      let sequence = try app.write(
        value, for: name, as: type, examined: examined, isConditional: isConditional,
        unseen: &unseen)
    else { return false }
    slots.withSlot(named: name) { slot in
      if let value {
        slot.update(own: value, sequence: sequence)
      } else {
        slot.update { resolve(name) }
      }
    }
    observers.notify(CollectionOfOne(name))
    return true
  }

  func register(_ defaults: [SettingsName: PropertyList.Value]) {
    registered.withLock { registered in
      for (name, value) in defaults { registered.change(name, to: value, at: 0) }
    }
    refresh(Array(defaults.keys))
  }

  /// Updates the slots of names whose values changed.
  ///
  /// - Parameters:
  ///   - reads: Names whose values another thread may have changed and not reported yet.
  ///   - queue: The queue for observers; `nil` notifies them synchronously.
  func refresh(
    _ names: [SettingsName], reads: [SettingsName] = [], notifyingOn queue: DispatchQueue? = nil
  ) {
    for name in names + reads {
      if let slot = slots[name] { slot.update(notifyingOn: queue) { resolve(name) } }
    }
    observers.notify(names)
  }
}
