import KeepsakeBase
public import KeepsakeSettings

/// A property that each window of an app keeps for itself.
///
/// ```swift
/// @SceneStorage("selectedTab") var selectedTab = 9
/// ```
///
/// It belongs to the window whose session was current when the property was made, or else to the
/// one that is current when it is used (``SceneSession/current``). Where there is none it has its
/// default, and changes to it are lost, which is logged once for each key.
@propertyWrapper
public struct SceneStorage<Value: Sendable>: Sendable {
  private let place: ScenePlace<Value>

  /// A property kept under a key.
  public init(_ key: SettingsKey<Value>) {
    place = ScenePlace(key: key, session: SceneSession.current)
  }

  /// The value that the window keeps, or the default.
  public var wrappedValue: Value {
    get { place.value }
    nonmutating set { place.value = newValue }
  }

  /// A binding to the value.
  public var projectedValue: Binding<Value> {
    Binding { [place] in
      place.value
    } set: { [place] in
      place.value = $0
    }
  }
}

/// Changes of properties that belong to no scene.
private enum MissingScene {
  private static let reported = Mutex<Set<String>>([])

  static func report(_ key: String) {
    guard reported.withLock({ $0.insert(key).inserted }) else { return }
    SettingsStore.log(
      SettingsError(
        .notWritten, "a property of a scene was set where no scene is current",
        effect: "the value is lost", key: key))
  }
}

/// Where one `@SceneStorage` property finds its value.
private final class ScenePlace<Value: Sendable>: Sendable {
  private let key: SettingsKey<Value>
  private let bound: (session: SceneSession, storage: AppStorage<Value>)?

  init(key: SettingsKey<Value>, session: SceneSession?) {
    self.key = key
    bound = session.map { ($0, AppStorage(key, store: $0.store)) }
  }

  var value: Value {
    get { found?.storage.wrappedValue ?? key.defaultValue }
    set {
      guard let (session, storage) = found else { return MissingScene.report(key.name) }
      storage.wrappedValue = newValue
      session.invalidate()
    }
  }

  private var found: (session: SceneSession, storage: AppStorage<Value>)? {
    bound ?? SceneSession.current.map { ($0, AppStorage(key, store: $0.store)) }
  }
}

extension SceneStorage where Value: SettingsValue {
  /// A property of a type that is stored directly.
  public init(wrappedValue: Value, _ key: String) {
    self.init(SettingsKey(key, default: wrappedValue))
  }

  /// An optional property of a type that is stored directly; `nil` removes the key.
  public init<Wrapped: SettingsValue>(_ key: String) where Value == Wrapped? {
    self.init(SettingsKey(key))
  }
}

extension SceneStorage where Value: RawRepresentable, Value.RawValue: SettingsValue {
  /// A property that is stored by its raw value.
  public init(wrappedValue: Value, _ key: String) {
    self.init(SettingsKey(key, default: wrappedValue))
  }
}

extension SceneStorage
where Value: SettingsValue & RawRepresentable, Value.RawValue: SettingsValue {
  /// A property of a type that is stored directly, though it has a raw value too.
  public init(wrappedValue: Value, _ key: String) {
    self.init(SettingsKey(key, default: wrappedValue))
  }
}

extension SceneStorage where Value: Codable {
  /// A property that is stored as it encodes itself.
  @_disfavoredOverload
  public init(wrappedValue: Value, _ key: String) {
    self.init(SettingsKey(key, default: wrappedValue))
  }
}

extension SceneStorage {
  /// An optional property that is stored by its raw value; `nil` removes the key.
  public init<Wrapped: RawRepresentable & Sendable>(_ key: String)
  where Value == Wrapped?, Wrapped.RawValue: SettingsValue {
    self.init(SettingsKey(key))
  }

  /// An optional property that is stored directly, though it has a raw value too; `nil` removes
  /// the key.
  public init<Wrapped: SettingsValue & RawRepresentable>(_ key: String)
  where Value == Wrapped?, Wrapped.RawValue: SettingsValue {
    self.init(SettingsKey(key))
  }

  /// An optional property that is stored as it encodes itself; `nil` removes the key.
  @_disfavoredOverload
  public init<Wrapped: Codable & Sendable>(_ key: String) where Value == Wrapped? {
    self.init(SettingsKey(key))
  }
}
