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
  let app: SettingsFile
  private let arguments: [SettingsName: PropertyList.Value]
  private let managed: SettingsFile?
  private let groups: [(name: String, file: SettingsFile)]
  private let global: SettingsFile?
  private let registered = Mutex<[SettingsName: PropertyList.Value]>([:])
  private let slots = SlotTable()

  init(
    arguments: [SettingsName: PropertyList.Value], managed: SettingsFile?, app: SettingsFile,
    groups: [(name: String, file: SettingsFile)], global: SettingsFile?
  ) {
    self.arguments = arguments
    self.managed = managed
    self.app = app
    self.groups = groups
    self.global = global
  }

  private var files: [SettingsFile] {
    [managed, app, global].compactMap(\.self) + groups.map(\.file)
  }

  /// Updates the slots whenever a file changes.
  func observeFiles() {
    for file in files {
      file.onChange { [self] names, queue in refresh(names, notifyingOn: queue) }
    }
  }

  /// Writes pending changes and closes the files.
  func close() {
    for file in files {
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
    let (kept, sequence) = app.value(of: name)
    let value: PropertyList.Value? = change ?? kept
    if let value = arguments[name] { return (value, .arguments, sequence) }
    if let value = managed?.value(of: name).value { return (value, .managed, sequence) }
    if let value { return (value, .app, sequence) }
    for (group, file) in groups {
      if let value = file.value(of: name).value { return (value, .suite(group), sequence) }
    }
    if let value = global?.value(of: name).value { return (value, .global, sequence) }
    if let value = registered.withLock({ $0[name] }) {
      return (value, .registered, sequence)
    }
    return (nil, nil, sequence)
  }

  /// The file of a layer, if it has one.
  func path(of layer: SettingsLayer?) -> FilePath? {
    switch layer {
    case .managed: managed?.path
    case .app: app.path
    case .suite(let name): groups.first { $0.name == name }?.file.path
    case .global: global?.path
    case .arguments, .registered, nil: nil
    }
  }

  // MARK: Writing

  /// Changes a value, unless the caller must examine the value that it replaces; see
  /// ``SettingsFile/write(_:for:as:examined:isConditional:)``.
  ///
  /// - Returns: Whether the change was made.
  @usableFromInline
  func store(
    _ value: PropertyList.Value?, for name: SettingsName, as type: ObjectIdentifier?,
    examined: PropertyList.Value? = nil, isConditional: Bool
  ) throws(SettingsError) -> Bool {
    guard
      let sequence = try app.write(
        value, for: name, as: type, examined: examined, isConditional: isConditional)
    else { return false }
    slots.withSlot(named: name) { slot in
      if let value {
        slot.update(own: value, sequence: sequence)
      } else {
        slot.update { resolve(name) }
      }
    }
    return true
  }

  func register(_ defaults: [SettingsName: PropertyList.Value]) {
    registered.withLock { $0.merge(defaults) { _, new in new } }
    refresh(Array(defaults.keys))
  }

  /// Updates the slots of some names.
  ///
  /// - Parameter queue: The queue for observers; `nil` notifies them synchronously.
  func refresh(_ names: [SettingsName], notifyingOn queue: DispatchQueue? = nil) {
    for name in names {
      if let slot = slots[name] { slot.update(notifyingOn: queue) { resolve(name) } }
    }
  }
}
