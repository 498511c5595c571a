#if Identity
import KeepsakeBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The key set of a provider, fetched when it is needed and kept for a time.
final class KeySetCache: Sendable {
  typealias Fetch = @Sendable (_ url: URL, _ maximumByteCount: Int) async throws -> Data

  private let provider: IdentityProvider
  private let limits: IdentityLimits
  private let now: @Sendable () -> Date
  private let fetch: Fetch
  private let state = Mutex(State())

  private struct State {
    var keySet: KeySet?
    var fetched = Date.distantPast
    /// When the last fetch began, whether or not it succeeded.
    var lastAttempt = Date.distantPast
    /// The error of the last fetch.
    var lastError: IdentityError?
    /// The fetch that all callers wait for.
    var fetching: Task<Result<KeySet, IdentityError>, Never>?
    /// The fetches that have not returned, also those that are no longer waited for.
    var runningCount = 0
  }

  private enum Step {
    case use(KeySet, IdentityError?)
    case wait(Task<Result<KeySet, IdentityError>, Never>)
    case fail(IdentityError)
  }

  /// How much time passes at least between two fetches while there is no key set.
  private static var retryInterval: Double { 1 }
  /// The most fetches that have not returned.
  private static var maximumRunningCount: Int { 4 }

  init(
    _ provider: IdentityProvider, _ limits: IdentityLimits, now: @escaping @Sendable () -> Date,
    fetch: @escaping Fetch
  ) {
    self.provider = provider
    self.limits = limits
    self.now = now
    self.fetch = fetch
  }

  /// The only key with an identifier; the key set is fetched if it is missing, too old, or does not
  /// have the identifier.
  ///
  /// - Throws: ``IdentityError`` (`cannotVerifyNow`, `unusableKeySet` or `unknownKey`).
  func key(_ id: String) async throws(IdentityError) -> SigningKey {
    let keySet: KeySet
    var lastError: IdentityError?
    switch nextStep(for: id) {
    case .use(let cached, let error): (keySet, lastError) = (cached, error)
    case .wait(let task): keySet = try await task.value.get()
    case .fail(let error): throw error
    }
    if let key = keySet[id] { return key }
    if keySet.contains(id) {
      throw IdentityError(.unknownKey, "several of the provider's keys have the token's identifier")
    }
    // The provider may have a new key that could not be fetched.
    if let lastError { throw lastError }
    throw IdentityError(.unknownKey, "the token's key is not one of the provider's")
  }

  private func nextStep(for id: String) -> Step {
    let now = now()
    return state.withLock { state in
      // After the clock was set back, nothing is known about the age.
      func isOver(_ interval: Double, since past: Date) -> Bool {
        let age = now.timeIntervalSince(past)
        return age >= interval || age < 0
      }
      let isFresh = !isOver(limits.keySetLifetime.seconds, since: state.fetched)
      if let keySet = state.keySet, isFresh {
        let mayRefresh = isOver(limits.keySetRefreshInterval.seconds, since: state.lastAttempt)
        // A fetch that is under way may bring the key.
        if keySet.contains(id) || (!mayRefresh && state.fetching == nil) {
          return .use(keySet, state.lastError)
        }
      }
      if let task = state.fetching { return .wait(task) }
      if let error = state.lastError, !isOver(Self.retryInterval, since: state.lastAttempt) {
        return .fail(error)
      }
      guard state.runningCount < Self.maximumRunningCount else {
        return .fail(
          IdentityError(.cannotVerifyNow, "earlier fetches of the key set have not returned"))
      }
      state.lastAttempt = now
      state.runningCount += 1
      let task = Task { await self.fetchKeySet(at: now) }
      state.fetching = task
      return .wait(task)
    }
  }

  private func fetchKeySet(at start: Date) async -> Result<KeySet, IdentityError> {
    let result: Result<KeySet, IdentityError>
    do throws(IdentityError) {
      let text = try await fetchText()
      result = .success(
        try await KeySet(
          text, maximumByteCount: limits.keySetByteCount, algorithms: provider.algorithms))
    } catch {
      result = .failure(error)
    }
    state.withLock { state in
      state.fetching = nil
      switch result {
      case .success(let keySet):
        state.keySet = keySet
        state.fetched = start
        state.lastError = nil
      case .failure(let error):
        // The keys that were fetched before stay in use as long as they are fresh.
        state.lastError = error
      }
    }
    return result
  }

  private func fetchText() async throws(IdentityError) -> Data {
    let (url, count) = (provider.keySetURL, limits.keySetByteCount)
    do {
      return try await withTimeLimit(limits.keySetFetchTime) { [self] in
        defer { state.withLock { $0.runningCount -= 1 } }
        return try await fetch(url, count)
      }
    } catch {
      throw IdentityError(
        .cannotVerifyNow,
        "the provider's keys cannot be fetched, so the token was not verified and its nonce is unused; "
          + "try again with both",
        cause: error)
    }
  }
}
#endif
