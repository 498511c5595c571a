#if Configuration
extension EnvironmentConfiguration {
  /// The layers from which the value of a key comes.
  public struct Explanation: Hashable, Sendable {
    /// The value in one layer.
    public struct LayerValue: Hashable, Sendable {
      /// The layer.
      public let layer: ConfigurationLayer
      /// The value as text; a secret is omitted.
      public let text: String
      /// Whether this value is in effect.
      public let counts: Bool
    }

    /// The key.
    public let key: String
    /// The layers that have a value, in order of precedence.
    public let values: [LayerValue]
  }
}

extension EnvironmentConfiguration.Explanation: CustomStringConvertible {
  /// The layers, one on each line; an arrow marks the value in effect.
  public var description: String {
    if values.isEmpty { return "\(key): no layer has a value" }
    return "\(key):\n"
      + values.map { "\($0.counts ? "→" : " ") \($0.layer): \($0.text)" }.joined(separator: "\n")
  }
}
#endif
