#if Configuration
/// Where the value of a key comes from.
public struct ConfigurationExplanation: Hashable, Sendable {
  /// What one layer has.
  public struct LayerValue: Hashable, Sendable {
    /// The layer.
    public let layer: ConfigurationLayer
    /// The value as text; a secret is left out.
    public let text: String
    /// Whether it is the one that counts.
    public let counts: Bool
  }

  /// The key that was asked about.
  public let key: String
  /// The layers that have a value, in the order in which they count.
  public let values: [LayerValue]
}

extension ConfigurationExplanation: CustomStringConvertible {
  /// The layers, a line each; the one that counts has a mark.
  public var description: String {
    if values.isEmpty { return "\(key): no layer has a value" }
    return "\(key):\n"
      + values.map { "\($0.counts ? "→" : " ") \($0.layer): \($0.text)" }.joined(separator: "\n")
  }
}
#endif
