import KeepsakeBase
import KeepsakeFiles
import SystemPackage

extension SimulatedDisk {
  /// The state that the disk's lock protects.
  struct Core: Sendable {
    var state: DiskState
    /// All calls so far.
    var calls: [SimulatedDisk.Call] = []
    /// The requested failures, by the number of the call.
    var failures: [Int: SimulatedDisk.Failure] = [:]
    /// The operations that always fail.
    var lasting: [FileError.Operation: SimulatedDisk.Failure] = [:]
    var marks: [String] = []
    /// The disk after every event, if recording.
    var moments: [Moment]?
    var locks: [Int: Weak<SimulatedLock.Owners>] = [:]
    var watches: [Weak<SimulatedWatch>] = []

    mutating func record(_ call: SimulatedDisk.Call) {
      guard let event = moments?.last.map({ $0.event + 1 }) else { return }
      moments?.append(Moment(event: event, call: call, marks: marks, state: state))
    }

    /// Adds a file to the pending changes of its directory's watches.
    func noteChange(of path: FilePath) {
      if watches.isEmpty { return }
      let directory = state.parent(of: path)
      for watch in watches.compactMap(\.value) where watch.directory == directory {
        if let name = path.lastComponent { watch.note(name) }
      }
    }
  }

  /// The disk after one event.
  struct Moment: Sendable {
    var event: Int
    var call: SimulatedDisk.Call?
    var marks: [String]
    var state: DiskState
  }

  /// A weak reference.
  struct Weak<Object: AnyObject & Sendable>: Sendable {
    private(set) weak var value: Object?

    init(_ value: Object) {
      self.value = value
    }
  }
}
