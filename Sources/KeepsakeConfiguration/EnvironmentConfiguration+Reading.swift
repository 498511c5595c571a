#if Configuration
public import Configuration

extension EnvironmentConfiguration {
  /// The value of a key.
  ///
  /// - Parameters:
  ///   - key: The key; within dictionaries with dots, as `Server.Port`.
  ///   - type: Any `Decodable` type. Texts of arguments and variables are read as numbers, truth
  ///     values, dates (ISO 8601), data (Base64) and arrays (with commas) where such are asked for.
  /// - Returns: The value.
  /// - Throws: ``ConfigurationError`` where no layer has one, or it is of another type, with line
  ///   and column; of several faults in a structure the first (``decode(_:)`` tells all).
  /// - Complexity: O(1) in the number of values.
  public func value<Value: Decodable>(
    for key: String, as type: Value.Type = Value.self
  ) throws(ConfigurationError) -> Value {
    do throws(ConfigurationErrors) {
      return try store.read(type, ConfigurationName(key)).result.get()
    } catch {
      throw error.all[0]
    }
  }

  /// The value of a key, or a default where no layer has one.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - defaultValue: The default.
  /// - Throws: ``ConfigurationError`` where the value is of another type.
  public func value<Value: Decodable>(
    for key: String, default defaultValue: @autoclosure () -> Value
  ) throws(ConfigurationError) -> Value {
    try value(for: key, as: Value?.self) ?? defaultValue()
  }

  /// The value of a key, or a default where no layer has one.
  ///
  /// A value of another type gives the default too, and is reported as a problem, once until something
  /// changes; where that must be known, use ``value(for:as:)``.
  public subscript<Value: Decodable>(
    key: String, default defaultValue: @autoclosure () -> Value
  ) -> Value {
    do throws(ConfigurationError) {
      return try value(for: key, default: defaultValue())
    } catch {
      store.tellOnce(error, of: ConfigurationName(key))
      return defaultValue()
    }
  }

  /// The whole configuration as a type's: to be read and checked once, when the program starts.
  ///
  /// ```swift
  /// struct Settings: Decodable {
  ///   let baseApiUrl: URL
  ///   let logLevel: LogLevel
  ///   let retries: Int?
  /// }
  /// let settings = try configuration.decode(Settings.self)
  /// ```
  ///
  /// - Parameter type: The type; its properties are the keys.
  /// - Throws: ``ConfigurationErrors`` with every key that is missing or of another type, each with
  ///   file, line and column.
  /// - Complexity: O(*n*) in the number of the type's keys; in the size of the file for each fault.
  public func decode<Settings: Decodable>(
    _ type: Settings.Type
  ) throws(ConfigurationErrors) -> Settings {
    try store.read(type, .root).result.get()
  }

  /// Every key that the file or an override has, or that was asked for and an argument or a variable
  /// has, sorted; those within dictionaries with dots.
  ///
  /// - Complexity: O(*n* log *n*) in the number of keys.
  public var keys: [String] {
    let layers = store.current.layers
    var names = layers.names()
    let known = Set(names)
    names += store.askedNames.filter { name in
      guard !known.contains(name), case .text? = layers.first(name)?.content else { return false }
      return true
    }
    return names.map(\.spelled).sorted()
  }

  /// What every layer has for a key, in their order, and which of them wins; secrets are left out.
  public func explain(_ key: String) -> ConfigurationExplanation {
    let name = ConfigurationName(key)
    let layers = store.current.layers
    let winner = layers.first(name)?.layer
    return ConfigurationExplanation(
      key: key,
      values: layers.all(name).map { found in
        ConfigurationExplanation.LayerValue(
          layer: found.layer,
          text: store.secrets.text(
            of: found.content, named: [name, found.spelling(of: name)]),
          counts: found.layer == winner)
      })
  }

  /// The same values for libraries that take swift-configuration's reader.
  ///
  /// Its watchers always end with the latest value.
  public var reader: ConfigReader { ConfigReader(provider: LayersProvider(self)) }
}
#endif
