import KeepsakeBase
import KeepsakeFiles
import SystemPackage

/// One user's side of a coordination on a simulated disk.
///
/// The doorbell rings when the lock is given back, for whoever hears it may want the lock.
final class SimulatedCoordinator: FileCoordinator {
  private let disk: SimulatedDisk
  private let path: FilePath
  private let meeting: Meeting
  private let seat: Int
  let cameAlone: Bool

  init(disk: SimulatedDisk, path: FilePath, meeting: Meeting) {
    self.disk = disk
    self.path = path
    self.meeting = meeting
    (cameAlone, seat) = meeting.places.withLock { ($0.seats.isEmpty, $0.add()) }
  }

  deinit {
    meeting.places.withLock { $0.seats[seat] = nil }
  }

  func lock() throws(FileError) {
    try disk.call(.lock, path) { (_, _) in }
    while !meeting.places.withLock({ $0.take() }) { sched_yield() }
  }

  func unlock() {
    let bells = meeting.places.withLock { $0.giveBack() }
    for bell in bells { bell() }
  }

  var position: SharedPosition? { meeting.places.withLock { $0.position } }

  func publish(_ position: SharedPosition?) {
    meeting.places.withLock { $0.publish(position, from: seat) }
  }

  func armDoorbell() {
    meeting.places.withLock { $0.seats[seat]!.isArmed = true }
  }

  func onDoorbell(_ handler: (@Sendable () -> Void)?) throws(FileError) {
    meeting.places.withLock {
      $0.seats[seat]!.handler = handler
      $0.seats[seat]!.isArmed = true
    }
  }
}
