#if Macros
import KeepsakeScenes
import KeepsakeSettings
import Observation

/// Makes the properties of a class settings, which views can observe.
///
/// ```swift
/// @ObservableSettings
/// final class Preferences {
///   var units = Units.metric
///   @Key("userName") var name: String?
///   @Validated(in: 1...5) var rating = 3
///   @InScene var tab = 0
///   @NotStored var isEditing = false
/// }
///
/// let preferences = Preferences()
/// preferences.units = .imperial
/// ```
///
/// Each variable is stored in a `SettingsStore` under its name, or the one of ``Key(_:aliases:)``;
/// its initial value is the setting's default. It has any type that `@AppStorage` takes. The store is
/// the only place of the value: only what reads a changed setting is notified, also if another
/// process changed it. A change that fails is reported to the store and not made, as with
/// `@AppStorage`.
///
/// The class gets a property `store` and an initializer `init(store:)`, unless it declares them, and
/// for each property a key: `Preferences.unitsKey` is for transactions and bindings. ``NotStored()``
/// leaves a property out, and it is observed all the same; ``InScene()`` makes it one of each window.
/// What an earlier version of the app stored under another key or with another type is moved by
/// `init(store:)`, with ``Key(_:aliases:)`` and ``Migrated(from:before:_:)``; an own initializer calls
/// `migrate()`. Constants, computed properties and those with a property wrapper stay as they are.
/// With a ``Secret()``, the class also gets a property `secrets`, and its initializer a parameter.
@attached(
  member, names: named(store), named(secrets), named(init), named(migrate), named(_registrar))
@attached(memberAttribute)
@attached(extension, conformances: Observable)
public macro ObservableSettings() =
  #externalMacro(module: "KeepsakeMacroPlugin", type: "ObservableSettingsMacro")

/// Keeps a setting of ``ObservableSettings()`` in each window, as `@SceneStorage` does.
///
/// It belongs to the window whose session is current when the object is made.
@attached(peer)
public macro InScene() =
  #externalMacro(module: "KeepsakeMacroPlugin", type: "SettingsAttribute")

/// Keeps an optional property of ``ObservableSettings()`` in a `SecretStore`, and not in the settings.
///
/// ```swift
/// import KeepsakeSecrets
///
/// @ObservableSettings
/// final class Account {
///   var name = ""
///   @Secret var token: String?
/// }
///
/// let account = Account(secrets: SecretStore(key: .keyFile("/media/key/app.key")))
/// account.token = "…"
/// ```
///
/// It is encoded under the property's name, or the one of ``Key(_:aliases:)``, and decrypted each time
/// it is read. What cannot be read is `nil`, and reported to the settings' store as a change that
/// fails is, which is not made; it is not replaced or removed either. Use the `SecretStore` itself for
/// that, and where errors must be known. Who observes the property is notified of changes that this
/// object makes.
@attached(peer)
public macro Secret() =
  #externalMacro(module: "KeepsakeMacroPlugin", type: "SettingsAttribute")

/// Accepts only values of a range for a setting of ``ObservableSettings()``.
///
/// Another value is not set, and reported; if another one is stored, the setting has its default.
@attached(peer)
public macro Validated<Value: Comparable>(in range: ClosedRange<Value>) =
  #externalMacro(module: "KeepsakeMacroPlugin", type: "SettingsAttribute")

/// Accepts only values that fulfill a requirement for a setting of ``ObservableSettings()``.
///
/// ```swift
/// @Validated("a name", { (name: String) in !name.isEmpty }) var nickname = "anonymous"
/// ```
///
/// Another value is not set, and reported; if another one is stored, the setting has its default.
///
/// - Parameters:
///   - requirement: Describes the accepted values in errors.
///   - isValid: Returns whether a value is accepted.
@attached(peer)
public macro Validated<Value>(_ requirement: String, _ isValid: @Sendable (Value) -> Bool) =
  #externalMacro(module: "KeepsakeMacroPlugin", type: "SettingsAttribute")

// Added by `@ObservableSettings`, not written by anyone.

@attached(accessor)
@attached(peer, names: suffixed(Key))
public macro _Setting() =
  #externalMacro(module: "KeepsakeMacroPlugin", type: "SettingMacro")

@attached(accessor)
@attached(peer, names: prefixed(_))
public macro _SceneSetting() =
  #externalMacro(module: "KeepsakeMacroPlugin", type: "SceneSettingMacro")

@attached(accessor)
@attached(peer)
public macro _SecretSetting() =
  #externalMacro(module: "KeepsakeMacroPlugin", type: "SecretSettingMacro")

@attached(accessor)
@attached(peer, names: prefixed(_))
public macro _Observed() =
  #externalMacro(module: "KeepsakeMacroPlugin", type: "ObservedMacro")
#endif
