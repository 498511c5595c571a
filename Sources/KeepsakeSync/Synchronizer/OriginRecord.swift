import KeepsakeSettings

/// What an engine has of an origin: up to which of its changes, and when that was written, as `NUMBER DAY`.
///
/// Each opening of files that sends something has a record, and each process that performs transactions. After
/// ``lifetime`` it may be removed: then no commit of it can be on its way any more.
struct OriginRecord {
  /// In days.
  static let lifetime = 30

  /// What a clock that is wrong does not leave.
  static let days = 0...10_000_000

  /// The last change that the engine has.
  let through: SyncLog.Number
  /// The day of its last commit, counted from 1970.
  let day: Int

  init(through: SyncLog.Number, day: Int) { (self.through, self.day) = (through, day) }

  init?(_ bytes: [UInt8]?) {
    let parts = String(decoding: bytes ?? [], as: UTF8.self).split(separator: " ")
    guard parts.count == 2, let through = SyncLog.Number(String(parts[0])), let day = Int(parts[1]),
      Self.days.contains(day)
    else { return nil }
    self.init(through: through, day: day)
  }

  var bytes: [UInt8] { Array("\(through) \(day)".utf8) }
}
