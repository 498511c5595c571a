import KeepsakeBase
import KeepsakeCoding
package import KeepsakeSettings

/// Settings whose values are kept in agreement with an engine.
///
/// A value is under its name, as the element of an XML property list, which a person can read.
package final class SharedSettings: DurableSyncStore {
  /// The settings are gone.
  package struct Ended: Error {}

  private struct Reference {
    weak var settings: SettingsStore?
  }

  private let reference: Mutex<Reference>

  /// - Throws: `SettingsError` if the settings cannot be written.
  package init(_ settings: SettingsStore) throws {
    reference = Mutex(Reference(settings: settings))
    try settings.shareValues()
  }

  /// The settings; nil once they, or their files, are gone: then nothing is shared any more.
  private var settings: SettingsStore? {
    guard let settings = reference.withLock({ $0.settings }) else { return nil }
    return settings.endSharingIfRemoved() ? nil : settings
  }

  package var log: SyncLog { settings?.syncLog ?? SyncLog(origin: "") }

  /// Waits until the log is as wanted, or it is too late.
  ///
  /// - Returns: Whether it is.
  /// - Throws: `CancellationError` if the settings are gone.
  func logBecomes(
    by end: ContinuousClock.Instant, _ isWanted: (SyncLog) -> Bool
  ) async throws -> Bool {
    while true {
      do {
        guard let settings else { throw CancellationError() }
        if isWanted(settings.syncLog ?? SyncLog(origin: "")) { return true }
      }
      if end < .now || Task.isCancelled { return false }
      try? await Task.sleep(for: .milliseconds(1))
    }
  }

  package func receive(
    _ decide: (SyncView) -> Received?
  ) throws {
    guard let settings else { throw Ended() }
    var unreadable: [SettingsName] = []
    // Who edits the files without knowing of others may take it away: then they join again.
    if settings.syncLog?.origin.isEmpty ?? true { try settings.shareValues() }
    try settings.receive { values in
      unreadable = []
      guard values.log != nil, let received = decide(values.view), !received.isEmpty
      else { return nil }
      return SettingsStore.ReceivedValues(received, &unreadable)
    }
    for name in unreadable {
      settings.report(
        SettingsError(
          .invalid, "other machines have a value that is not an element of a property list",
          effect: "the value here is kept until it is set, here or elsewhere", key: name.string))
    }
  }

  package var view: SyncView {
    settings?.sharedValues.view
      ?? SyncView(log: SyncLog(origin: ""), names: { [] }, value: { _ in nil })
  }

  package func durableView() async throws -> SyncView {
    guard let settings else { throw Ended() }
    let values = settings.sharedValues
    try await settings.synchronize()
    return values.view
  }
}

extension SettingsStore.SharedValues {
  fileprivate var view: SyncView {
    SyncView(
      log: log ?? SyncLog(origin: ""), names: { names }, value: { name in self[name]?.element },
      hasValue: { name, bytes in
        // What cannot be read was never taken.
        guard let value = PropertyList.Value(element: bytes) else { return true }
        return self[name]?.isIdentical(to: value) == true
      })
  }
}

extension Received {
  fileprivate var isEmpty: Bool { update == SyncLog.Update() && writes.isEmpty }
}

extension SettingsStore.ReceivedValues {
  /// - Parameter unreadable: Receives the names of values that cannot be read, and so replace nothing.
  fileprivate init(_ received: Received, _ unreadable: inout [SettingsName]) {
    self.init()
    update = received.update
    preserves = received.preserves
    for (name, bytes) in received.writes {
      guard let bytes else {
        values.updateValue(nil, forKey: name)
        continue
      }
      if let value = PropertyList.Value(element: bytes) {
        values.updateValue(value, forKey: name)
      } else {
        unreadable.append(name)
      }
    }
  }
}

extension PropertyList.Value {
  private static let start = Array("<plist version=\"1.0\">\n".utf8)
  private static let end = Array("\n</plist>\n".utf8)

  /// The value as an element of an XML property list.
  var element: [UInt8] {
    let bytes = serializedXML()
    // The first `<plist` is the root's: what precedes it is always the same.
    guard
      let start = bytes.indices.first(where: { bytes[$0...].starts(with: Self.start) })
    else { return bytes }
    return Array(bytes[(start + Self.start.count)...].dropLast(Self.end.count))
  }

  init?(element: [UInt8]) {
    guard let value = try? Self(parsingXML: Self.start + element + Self.end), !value.isTooDeep
    else { return nil }
    self = value
  }
}
