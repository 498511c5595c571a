#if Console
import KeepsakeBase
import NIOCore

/// The connections of a server.
final class OpenConnections: Sendable {
  private struct Entry {
    let channel: any Channel
    let number: Int
    /// Whether it is the socket of a page with the token.
    var isTrusted = false
  }

  private struct State {
    var entries: [ObjectIdentifier: Entry] = [:]
    var count = 0
  }

  private let limit: Int
  private let state = Mutex(State())

  init(limit: Int) {
    var descriptors = rlimit()
    #if canImport(Glibc)
    let isKnown = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &descriptors) == 0
    #else
    let isKnown = getrlimit(RLIMIT_NOFILE, &descriptors) == 0
    #endif
    let quarter = isKnown ? Int(clamping: descriptors.rlim_cur / 4) : limit
    self.limit = max(8, min(limit, quarter))
  }

  /// Adds a connection. If there are too many, the oldest that has not shown the token is closed, so that a
  /// page of the app is served even while somebody opens connections without end.
  func add(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    let surplus = state.withLock { state -> (any Channel)? in
      state.count += 1
      state.entries[id] = Entry(channel: channel, number: state.count)
      guard state.entries.count > limit else { return nil }
      let oldest = state.entries.filter { !$0.value.isTrusted }.min {
        $0.value.number < $1.value.number
      }
      guard let oldest else { return nil }
      // Now, since the next may be accepted before this one has told that it is closed.
      state.entries[oldest.key] = nil
      return oldest.value.channel
    }
    channel.closeFuture.whenComplete { [weak self] _ in
      self?.state.withLock { _ = $0.entries.removeValue(forKey: id) }
    }
    surplus?.close(promise: nil)
  }

  /// Notes that a connection is the socket of a page with the token.
  func trust(_ channel: any Channel) {
    state.withLock { $0.entries[ObjectIdentifier(channel)]?.isTrusted = true }
  }

  func closeAll() {
    for entry in state.withLock({ $0.entries }).values { entry.channel.close(promise: nil) }
  }
}
#endif
