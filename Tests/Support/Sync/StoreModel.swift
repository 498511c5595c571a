package import KeepsakeSettings
package import KeepsakeSync

/// A store as it promises to be, whose files are values.
package final class StoreModel: SyncStore {
  package struct Files {
    package private(set) var values: [SettingsName: [UInt8]] = [:]
    package fileprivate(set) var log: SyncLog
    /// The end of the journal.
    private var end: Int64 = 0
    /// Values that were replaced and are kept elsewhere; nil for one that was removed.
    package private(set) var preserved: [SettingsName: [[UInt8]?]] = [:]
    /// The names whose values were received, in order.
    package private(set) var received: [SettingsName] = []

    package init(origin: String) {
      log = SyncLog(origin: origin)
    }

    package var view: SyncView {
      let values = values
      return SyncView(log: log, names: { Set(values.keys) }, value: { values[$0] })
    }

    package mutating func set(_ value: [UInt8]?, for name: SettingsName) {
      values[name] = value
      end += 1
      log.note(name, number)
    }

    private var number: SyncLog.Number { SyncLog.Number(generation: 1, offset: end) }

    /// Changes a value while no process has the files open.
    package mutating func edit(_ value: [UInt8]?, of name: SettingsName) {
      values[name] = value
      var update = SyncLog.Update()
      update.doubt = .edited
      take(update)
    }

    package mutating func receive(
      _ decide: (SyncView) -> Received?
    ) {
      guard let received = decide(view) else { return }
      if received.update.log != nil {
        for name in log.changes.keys where values[name] == nil {
          preserved[name, default: []].append(nil)
        }
      }
      let withdrawn = Set(received.update.withdrawals)
      for name in withdrawn where received.writes[name] == nil {
        if let old = values[name] { preserved[name, default: []].append(old) }
      }
      take(received.update)
      for (name, value) in received.writes where values[name] != value {
        if received.preserves || withdrawn.contains(name), let old = values[name] {
          preserved[name, default: []].append(old)
        }
        values[name] = value
        self.received.append(name)
      }
    }

    package mutating func take(_ update: SyncLog.Update) {
      if !update.claims.isEmpty || !update.offers.isEmpty { end += 1 }
      log.take(update, at: number)
    }
  }

  package private(set) var files: Files

  package init(origin: String) {
    files = Files(origin: origin)
  }

  /// Opens files, whose further changes have another origin.
  package init(_ files: Files, origin: String) {
    self.files = files
    var update = SyncLog.Update()
    update.origin = origin
    self.files.take(update)
  }

  package var log: SyncLog { files.log }

  package func set(_ value: [UInt8]?, for name: SettingsName) { files.set(value, for: name) }

  package func edit(_ value: [UInt8]?, of name: SettingsName) { files.edit(value, of: name) }

  package func receive(_ decide: (SyncView) -> Received?) {
    files.receive(decide)
  }
}
