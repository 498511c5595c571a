/// How long a process rests before it talks to the engine for one that holds the lock, and seems to be stopped.
///
/// It need not be: where something can never be sent, as by a member that may only read, every process finds that
/// the machine does not get on. Each time that it was of no use, this one rests twice as long before the next time.
struct HelpPause<Progress: SyncProgress> {
  /// How long it helps each time.
  let period: Duration
  private var pause = Duration.zero
  /// How far the machine was when this process began to help.
  private var progress: Progress?
  private var end: ContinuousClock.Instant?
  /// Whether the machine got on while this process did not help.
  private var isUseless = false

  /// How many periods it rests at most: the other process may be stopped later.
  static var longest: Int { 5 }

  init(period: Duration) { self.period = period }

  /// Notes that the machine lacks nothing, or that the engine does not answer, so that nobody could have been of use.
  mutating func reset() { self = Self(period: period) }

  /// Notes that it got on without help.
  mutating func noteProgress() { if progress != nil { isUseless = true } }

  /// Notes that this process no longer helps.
  ///
  /// - Parameter isBusy: Whether it was not done, and nothing failed, as where much is to be fetched.
  mutating func noteEnd(_ now: ContinuousClock.Instant, isBusy: Bool) {
    end = now
    if isBusy { progress = nil }
  }

  /// Whether to help now, where the machine does not get on.
  mutating func begins(at progress: Progress, _ now: ContinuousClock.Instant) -> Bool {
    var pause = Duration.zero
    if let last = self.progress, isUseless || last.isAsFar(as: progress) {
      pause = min(max(period, self.pause * 2), period * Self.longest)
    }
    if let end, now < end + pause { return false }
    (self.pause, self.progress, isUseless) = (pause, progress, false)
    return true
  }
}
