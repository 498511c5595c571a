#if Postgres
import KeepsakeSync

extension PostgresFailure {
  var syncError: SyncError {
    switch self {
    case .lost(let text): return .unreachable(text)
    case .unusable(let text): return .rejected(text)
    case .refused(let state, let text):
      let description = "\(text) (SQLSTATE \(state))"
      switch state {
      // A standby, which may become the primary; locks, memory and connections that others have.
      case "25006", "53200", "53300", "55P03": return .unreachable(description)
      // Of connections; transactions that met others; what an operator ends, as the server when it stops.
      case _ where ["08", "40", "57"].contains(state.prefix(2)): return .unreachable(description)
      default: return .rejected(description)
      }
    }
  }
}
#endif
