public import KeepsakeCoding

/// Changes of values that another version of the app, or another program, may have written.
extension SettingsStore {
  /// Changes a setting whose stored value its type may not know completely.
  @usableFromInline
  func replaceUnknown<Value>(
    with new: PropertyList.Value?, for key: SettingsKey<Value>
  ) throws(SettingsError) {
    for attempt in 1... {
      let old = app.value(of: key.id).value
      let change = try change(of: key, to: new, replacing: old)
      // Another process can change the value each time: then the last change counts.
      let isConditional = key.coding.evolution != nil && attempt < 100
      var unseen: PropertyList.Value?
      if try layers.store(
        change.value, for: key.id, as: change.type, examined: old, isConditional: isConditional,
        unseen: &unseen)
      {
        if let unseen { preserveIfUnreadable(unseen, of: key) }
        return
      }
    }
  }

  /// Preserves a value that another process wrote, and a change replaced before it was read here.
  @usableFromInline
  func preserveIfUnreadable<Value>(_ value: PropertyList.Value, of key: SettingsKey<Value>) {
    do {
      _ = try key.coding.decode(value)
    } catch let problem {
      do throws(SettingsError) {
        try app.preserve(
          value, of: key.id, because: "the stored value cannot be read", error: problem)
      } catch {
        report(
          SettingsError(
            .notWritten, "another process's value cannot be preserved", effect: "it was replaced",
            key: key.name, file: app.path, cause: error))
      }
    }
  }

  /// The change that replaces a stored value: it keeps what the type does not know. A value that the
  /// type cannot read is preserved first.
  ///
  /// - Parameter isReadable: Whether the value was read as another type, which the app converts.
  func change<Value>(
    of key: SettingsKey<Value>, to new: PropertyList.Value?, replacing old: PropertyList.Value?,
    isReadable: Bool = false
  ) throws(SettingsError) -> SettingsFile.Change {
    var change = SettingsFile.Change(
      name: key.id, value: new, type: ObjectIdentifier(Value.self))
    guard let old else { return change }
    do {
      if let evolution = key.coding.evolution {
        let kept = try evolution.keepUnknown(old, new ?? old, key.defaultValue)
        if new != nil && kept != new {
          change.value = kept
          change.type = nil
        }
      } else {
        _ = try key.coding.decode(old)
      }
    } catch {
      if !isReadable {
        try app.preserve(old, of: key.id, because: "the stored value cannot be read", error: error)
      }
    }
    return change
  }
}
