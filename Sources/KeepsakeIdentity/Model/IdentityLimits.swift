#if Identity
/// How long and how much an ``IdentityVerifier`` accepts.
public struct IdentityLimits: Sendable {
  /// How far the clocks of the provider and of this machine may differ; at most five minutes count.
  public var clockSkew: Duration = .seconds(60)
  /// How long a nonce can be used after it was issued.
  public var nonceLifetime: Duration = .seconds(30 * 60)
  /// How long a fetched key set is used.
  public var keySetLifetime: Duration = .seconds(60 * 60)
  /// How much time passes at least between two fetches because of unknown key identifiers.
  public var keySetRefreshInterval: Duration = .seconds(60)
  /// How long a fetch of the key set may take.
  public var keySetFetchTime: Duration = .seconds(10)
  /// The most bytes of a key set.
  public var keySetByteCount = 256 * 1024
  /// The most bytes of a token.
  public var tokenByteCount = 16 * 1024

  /// The limits that suit Apple.
  public init() {}

  static var maximumClockSkew: Double { 5 * 60 }

  var clockSkewSeconds: Double { min(max(clockSkew.seconds, 0), Self.maximumClockSkew) }
}

extension Duration {
  var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
#endif
