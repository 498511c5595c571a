import KeepsakeBase
package import KeepsakeSettings
package import KeepsakeSync

/// A ``StoreModel`` that a driver can use, on a disk that may be full.
package final class DurableStoreModel: DurableSyncStore {
  private struct DiskFull: Error {}

  private struct State {
    var files: StoreModel.Files
    var isDiskFull: Bool
    var refusals = 0
    var isReadOnly = false
    var flushes = (begun: 0, ended: 0)
    var flushTime = Duration.zero
  }

  private let state: Mutex<State>

  package init(origin: String, isDiskFull: Bool = false) {
    state = Mutex(State(files: StoreModel.Files(origin: origin), isDiskFull: isDiskFull))
  }

  package var isDiskFull: Bool {
    get { state.withLock { $0.isDiskFull } }
    set { state.withLock { $0.isDiskFull = newValue } }
  }

  /// Whether it takes nothing of what others have.
  package var isReadOnly: Bool {
    get { state.withLock { $0.isReadOnly } }
    set { state.withLock { $0.isReadOnly = newValue } }
  }

  /// How often something could not be made durable.
  package var refusals: Int { state.withLock { $0.refusals } }

  /// How often it was asked for what is durable.
  package var flushes: (begun: Int, ended: Int) { state.withLock { $0.flushes } }

  package func setFlushTime(_ time: Duration) { state.withLock { $0.flushTime = time } }

  package var values: [[UInt8]: [UInt8]] {
    let values = state.withLock { $0.files.values }
    return Dictionary(uniqueKeysWithValues: values.map { (Array($0.key.string.utf8), $0.value) })
  }

  package var log: SyncLog { state.withLock { $0.files.log } }

  package func set(_ value: [UInt8]?, for name: SettingsName) {
    state.withLock { $0.files.set(value, for: name) }
  }

  package func receive(_ decide: (SyncView) -> Received?) throws {
    try state.withLock { state in
      if state.isReadOnly { throw DiskFull() }
      state.files.receive(decide)
    }
  }

  package var view: SyncView { state.withLock { $0.files.view } }

  package func durableView() async throws -> SyncView {
    let (view, time) = try state.withLock { state in
      state.flushes.begun += 1
      if state.isDiskFull {
        state.refusals += 1
        throw DiskFull()
      }
      return (state.files.view, state.flushTime)
    }
    try? await Task.sleep(for: time)
    state.withLock { $0.flushes.ended += 1 }
    return view
  }
}
