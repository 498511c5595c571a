#if !Macros
/// Generates `Codable` for a type. Unavailable: the trait `Macros` is off.
///
/// A global actor, because no macro can be declared without what implements it, and few other
/// things are attributes of types.
@available(*, unavailable, message: "Enable the trait `Macros` of the package keepsake")
@globalActor
public actor Storable {
  /// The only instance.
  public static let shared = Storable()
}

/// Makes the properties of a class settings. Unavailable: the trait `Macros` is off.
@available(*, unavailable, message: "Enable the trait `Macros` of the package keepsake")
@globalActor
public actor ObservableSettings {
  /// The only instance.
  public static let shared = ObservableSettings()
}
#endif
