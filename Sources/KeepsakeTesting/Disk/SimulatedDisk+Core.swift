import KeepsakeBase
import KeepsakeFiles
import SystemPackage

extension SimulatedDisk {
  /// What the disk's lock guards.
  struct Core: Sendable {
    var state: DiskState
    /// All calls so far.
    var calls: [DiskCall] = []
    /// The calls that are to fail, by number.
    var failures: [Int: CallFailure] = [:]
    /// The operations that fail whenever they are tried.
    var lasting: [FileError.Operation: CallFailure] = [:]
    var marks: [String] = []
    /// What the disk was after every event, where that is recorded.
    var moments: [Moment]?
    var locks: [Int: Weak<SimulatedLock.Owners>] = [:]
    var watches: [Weak<SimulatedWatch>] = []

    mutating func record(_ call: DiskCall) {
      guard let event = moments?.last.map({ $0.event + 1 }) else { return }
      moments?.append(Moment(event: event, call: call, marks: marks, state: state))
    }

    /// Keeps news for those who watch the directory of a file.
    func noteChange(of path: FilePath) {
      if watches.isEmpty { return }
      let directory = state.parent(of: path)
      for watch in watches.compactMap(\.value) where watch.directory == directory {
        watch.hasNews.store(true, ordering: .relaxed)
      }
    }
  }

  /// The disk after one event.
  struct Moment: Sendable {
    var event: Int
    var call: DiskCall?
    var marks: [String]
    var state: DiskState
  }

  /// A reference that keeps nothing alive.
  struct Weak<Object: AnyObject & Sendable>: Sendable {
    private(set) weak var value: Object?

    init(_ value: Object) {
      self.value = value
    }
  }
}
