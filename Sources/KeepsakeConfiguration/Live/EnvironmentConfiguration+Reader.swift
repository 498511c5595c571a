#if Configuration
public import Configuration

extension EnvironmentConfiguration {
  /// The same values, for libraries that use swift-configuration's reader.
  ///
  /// Its watchers always receive the latest value in the end.
  public var reader: ConfigReader { ConfigReader(provider: LayersProvider(self)) }
}
#endif
