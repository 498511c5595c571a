#if Configuration
extension EnvironmentConfiguration {
  /// The reasons that files cannot be read now; their previous values are in effect.
  package var unreadableFiles: [ConfigurationError] { files.problems }

  /// The reason that the app does not use the value of a key, but its default or the previous value, or `nil` if it
  /// uses it: the value has another type than the app requested.
  package func typeError(of key: String) -> ConfigurationError? {
    let name = ConfigurationName(key)
    let layers = store.current.layers
    return store.requestedTypes(of: name).own.lazy.compactMap { type in
      (type as? any Decodable.Type).flatMap { self.typeError($0, name, in: layers) }
    }.first
  }

  /// The error of a value, or of one inside it, that has another type; a missing value is not wrong.
  func typeError<Value: Decodable>(
    _ type: Value.Type, _ name: ConfigurationName, in layers: ConfigurationLayers
  ) -> ConfigurationError? {
    let session = DecodingSession(layers, store.secrets, overridesFile: store.overridesFile)
    do throws(ConfigurationErrors) {
      _ = try session.decode(type, from: .name(name))
      return nil
    } catch {
      return error.all.first { $0.code == .wrongType }
    }
  }
}
#endif
