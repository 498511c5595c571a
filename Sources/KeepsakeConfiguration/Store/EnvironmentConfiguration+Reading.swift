#if Configuration
extension EnvironmentConfiguration {
  /// The value of a key.
  ///
  /// - Parameters:
  ///   - key: The key; inside dictionaries with dots, as in `Server.Port`.
  ///   - type: Any `Decodable` type. Texts of arguments and variables are read as numbers, Booleans,
  ///     dates (ISO 8601), data (Base64) and arrays (with commas) if these are requested.
  /// - Returns: The value.
  /// - Throws: ``ConfigurationError`` with line and column if no layer has a value, or it has another
  ///   type; the first of several errors in a structure (``decode(_:)`` throws all).
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

  /// The value of a key, or a default if no layer has one.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - defaultValue: The default.
  /// - Throws: ``ConfigurationError`` if the value has another type.
  public func value<Value: Decodable>(
    for key: String, default defaultValue: @autoclosure () -> Value
  ) throws(ConfigurationError) -> Value {
    try value(for: key, as: Value?.self) ?? defaultValue()
  }

  /// The value of a key, or a default if no layer has one of this type.
  ///
  /// A value of another type is reported as a problem, once until something changes; to receive it as an
  /// error, use ``value(for:default:)``.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - defaultValue: The default.
  public subscript<Value: Decodable>(
    key: String, default defaultValue: @autoclosure () -> Value
  ) -> Value {
    do throws(ConfigurationError) {
      return try value(for: key, default: defaultValue())
    } catch {
      store.reportOnce(error, of: ConfigurationName(key))
      return defaultValue()
    }
  }

  /// Decodes the whole configuration as a type, for example once when the program starts.
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
  /// - Throws: ``ConfigurationErrors`` with every key that is missing or has another type, each with
  ///   file, line and column.
  /// - Complexity: O(*n*) in the number of the type's keys; in the size of the file for each error.
  public func decode<Settings: Decodable>(
    _ type: Settings.Type
  ) throws(ConfigurationErrors) -> Settings {
    try store.read(type, .root).result.get()
  }

  /// The keys of all values in the file and the overrides, and the requested keys of arguments and
  /// variables, sorted; those inside dictionaries with dots.
  ///
  /// - Complexity: O(*n* log *n*) in the number of keys.
  public var keys: [String] {
    let layers = store.current.layers
    var names = layers.names()
    let known = Set(names)
    names += store.requestedNames.filter { name in
      guard !known.contains(name), case .text? = layers.first(name)?.content else { return false }
      return true
    }
    return names.map(\.spelled).sorted()
  }

  /// The values of a key in all layers in order of precedence, without secrets.
  ///
  /// - Parameter key: The key.
  public func explain(_ key: String) -> EnvironmentConfiguration.Explanation {
    let name = ConfigurationName(key)
    let layers = store.current.layers
    let effective = layers.first(name)?.layer
    return EnvironmentConfiguration.Explanation(
      key: key,
      values: layers.all(name).map { found in
        EnvironmentConfiguration.Explanation.LayerValue(
          layer: found.layer,
          text: store.secrets.text(
            of: found.content, named: [name, found.spelling(of: name)]),
          counts: found.layer == effective)
      })
  }
}
#endif
