import Dispatch
import KeepsakeBase
public import KeepsakeCoding
import SystemPackage

/// The files that a store looks for values in, and the keys that were asked for.
///
/// Whoever opened them closes them: until then the files, whose changes come from threads of their
/// own, keep this alive.
@usableFromInline
final class SettingsLayers: Sendable {
  let app: SettingsFile
  private let arguments: [String: PropertyList.Value]
  private let managed: SettingsFile?
  private let groups: [(name: String, file: SettingsFile)]
  private let global: SettingsFile?
  private let registered = Mutex<[String: PropertyList.Value]>([:])
  private let slots = SlotTable()

  init(
    arguments: [String: PropertyList.Value], managed: SettingsFile?, app: SettingsFile,
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

  /// Brings what was asked for up to date whenever a file changes.
  func listen() {
    for file in files {
      file.onChange { [self] names, queue in refresh(names, notifyingOn: queue) }
    }
  }

  /// Writes what is to be written and lets go of the files.
  func close() {
    for file in files {
      file.close()
      file.onChange(nil)
    }
  }

  // MARK: Reading

  /// What is stored under a name, as one look at it: whoever is tracked now is told of the next change.
  @usableFromInline
  func read(_ name: SettingsName) -> PropertyList.Value? {
    if let stored = slots.withSlot(named: name, { $0.read() }) { return stored }
    return slot(named: name).read()
  }

  func slot(named name: SettingsName) -> SettingsSlot {
    slots.slot(named: name) {
      let slot = SettingsSlot(name: name)
      slot.update { resolve(name) }
      return slot
    }
  }

  /// The value that counts for a name.
  ///
  /// - Parameter change: A change of the app's own value that is about to be made.
  func resolve(
    _ name: SettingsName, after change: PropertyList.Value?? = nil
  ) -> SettingsSlot.Resolution {
    let (kept, sequence) = app.value(of: name)
    let value: PropertyList.Value? = change ?? kept
    if let value = arguments[name.string] { return (value, .arguments, sequence) }
    if let value = managed?.value(of: name).value { return (value, .managed, sequence) }
    if let value { return (value, .app, sequence) }
    for (group, file) in groups {
      if let value = file.value(of: name).value { return (value, .suite(group), sequence) }
    }
    if let value = global?.value(of: name).value { return (value, .global, sequence) }
    if let value = registered.withLock({ $0[name.string] }) {
      return (value, .registered, sequence)
    }
    return (nil, nil, sequence)
  }

  /// The file of a layer, where it has one.
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

  @usableFromInline
  func store(
    _ value: PropertyList.Value?, for name: SettingsName
  ) throws(SettingsError) {
    let sequence = try app.write(value, for: name)
    slots.withSlot(named: name) { slot in
      if let value {
        slot.update(own: value, sequence: sequence)
      } else {
        slot.update { resolve(name) }
      }
    }
  }

  func register(_ defaults: [String: PropertyList.Value]) {
    registered.withLock { $0.merge(defaults) { _, new in new } }
    refresh(defaults.keys.map { SettingsName($0) })
  }

  /// Brings the slots of some names up to date.
  ///
  /// - Parameter queue: Where observers run; `nil` for at once.
  func refresh(_ names: [SettingsName], notifyingOn queue: DispatchQueue? = nil) {
    for name in names {
      if let slot = slots[name] { slot.update(notifyingOn: queue) { resolve(name) } }
    }
  }
}
