/// How far settings or documents agree with the engine that other machines share.
public struct SyncStatus: Hashable, Sendable {
  /// What is known of the engine.
  public enum State: Hashable, Sendable {
    /// The engine does not answer, or does not do what it is asked; changes are kept, and sent later.
    case offline(SyncError)
    /// What others have changed, or what was changed here, is on its way.
    case catchingUp
    /// Everything that the engine takes is the same here and there, as far as is known.
    case current
  }

  /// What is known of the engine.
  public var state: State
  /// The number of settings or documents with changes that the engine takes, and is not known to have.
  public var waitingCount: Int
  /// The names of settings, or of documents' files, that are larger than the engine takes: they stay here.
  public var tooLarge: [String]

  package init(_ state: State, waitingCount: Int = 0, tooLarge: [String] = []) {
    self.state = state
    self.waitingCount = waitingCount
    self.tooLarge = tooLarge
  }
}
