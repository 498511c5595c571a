#if Macros
import KeepsakeCoding

/// Generates `Codable` for a type, and reading and writing its values straight from and to JSON.
///
/// ```swift
/// @Storable
/// struct Card {
///   var id: UUID
///   @Key("title", aliases: "name") var heading: String
///   var rating = 0
/// }
/// ```
///
/// A structure or class has its properties as keys, an enumeration its cases, with the same text
/// as `Codable` without the macro. What differs:
///
/// - The initial value of a variable is used if its key is missing.
/// - Attributes say how one property or case is stored: ``Key(_:aliases:)``,
///   ``Key(path:aliases:)-98f1n``, ``Coded(_:)``, ``Default(_:)``, ``IfUnreadable(_:)``,
///   ``Migrated(from:before:_:)``, ``Flattened()``, ``NotStored()``, ``Unknown()``.
/// - If the type has a method `didDecode()`, it is called after the properties were read, to compute
///   others. It can throw.
///
/// A class must be final. `JSON.Decoder` and `JSON.Encoder` use the direct way while their
/// strategies are the default ones, and for dates any but a function. All other coders, and all
/// errors, use `Codable`.
///
/// - Parameters:
///   - version: The version of the type's form, at least 1. It is stored under the key
///     `schemaVersion`; a value without the key has version 1.
///   - keys: How keys are made from the names of properties and cases.
///   - tag: For an enumeration: the key of its case's name, beside the associated values, as in
///     `{"type": "circle", "radius": 1}`.
///   - content: For an enumeration with a tag: the key of an object with the associated values.
@attached(
  extension, conformances: Decodable, Encodable, JSON.Readable, JSON.Writable,
  names: named(CodingKeys), named(JSONFields), named(init), named(encode), named(write))
@attached(
  member,
  names: named(CodingKeys), named(JSONFields), named(init), named(encode), named(write))
public macro Storable(
  version: Int = 1, keys: KeyStyle = .unchanged, tag: String? = nil, content: String? = nil
) = #externalMacro(module: "KeepsakeMacroPlugin", type: "StorableMacro")

/// How ``Storable(version:keys:tag:content:)`` makes keys from names.
public enum KeyStyle: Sendable {
  /// `postalCode` stays `postalCode`.
  case unchanged
  /// `postalCode` becomes `postal_code`.
  case snakeCase
  /// `postalCode` becomes `postal-code`.
  case kebabCase
}

/// Stores a property or case under another key.
///
/// - Parameters:
///   - name: The key.
///   - aliases: Keys that are read if there is none of that name, the first one that is there.
@attached(peer)
public macro Key(_ name: String, aliases: String...) =
  #externalMacro(module: "KeepsakeMacroPlugin", type: "StoredAttribute")

/// Reads a property or case from other keys, too.
///
/// - Parameter aliases: Keys that are read if there is none of its name, the first one that is
///   there.
@attached(peer)
public macro Key(aliases: String...) =
  #externalMacro(module: "KeepsakeMacroPlugin", type: "StoredAttribute")

/// Stores a property in objects within the object of the type, as `contact.email`.
///
/// - Parameters:
///   - path: Keys, with periods between them.
///   - aliases: Paths that are read if there is none of that name, the first one that is there.
@attached(peer)
public macro Key(path: String, aliases: String...) =
  #externalMacro(module: "KeepsakeMacroPlugin", type: "StoredAttribute")

/// Stores a property in objects within the object of the type, where keys contain periods.
///
/// - Parameters:
///   - path: Keys.
///   - aliases: Paths that are read if there is none of that name, the first one that is there.
@attached(peer)
public macro Key(path: [String], aliases: [String]...) =
  #externalMacro(module: "KeepsakeMacroPlugin", type: "StoredAttribute")

/// Stores a property in another form, such as `.iso8601` for a date or `.text` for a number.
///
/// - Parameter coding: The form. Own ones conform to ``FieldCoding``.
@attached(peer)
public macro Coded<Coding: FieldCoding>(_ coding: Coding) =
  #externalMacro(module: "KeepsakeMacroPlugin", type: "StoredAttribute")

/// Gives a property a value if its key is missing: for a constant, which cannot have an initial value,
/// and for a variable whose initial value is another one, such as a new identity.
///
/// - Parameter value: The value. It is computed each time it is needed.
@attached(peer)
public macro Default<Value>(_ value: @autoclosure () -> Value) =
  #externalMacro(module: "KeepsakeMacroPlugin", type: "StoredAttribute")

/// Says what happens if the value of a property cannot be read; without it, that is an error.
@attached(peer)
public macro IfUnreadable(_ action: UnreadableValueAction) =
  #externalMacro(module: "KeepsakeMacroPlugin", type: "StoredAttribute")

/// What ``IfUnreadable(_:)`` does. A handler in the decoder's `userInfo`, under
/// `CodingUserInfoKey.unreadableValueHandler`, is called with each error.
public enum UnreadableValueAction: Sendable {
  /// The property has the value that it has if its key is missing.
  case useDefault
  /// An array is without the elements that cannot be read.
  case dropElements
}

/// Reads a property as an earlier version of the type stored it.
///
/// ```swift
/// @Migrated(from: "name", { (old: String) in old.split(separator: " ").first.map(String.init) })
/// var firstName: String
/// ```
///
/// Without a version, the property's own key is used if it is there and can be read.
///
/// - Parameters:
///   - key: The key in the earlier version; by default that of the property. Periods lead into
///     objects.
///   - version: The first version of the type that stores the property as it is now. In values of
///     earlier ones, only the earlier form is read.
///   - convert: Converts the earlier value; `nil` is as if there was none.
@attached(peer)
public macro Migrated<Old: Decodable, Value>(
  from key: String? = nil, before version: Int? = nil, _ convert: (Old) throws -> Value?
) = #externalMacro(module: "KeepsakeMacroPlugin", type: "StoredAttribute")

/// Stores the properties of a property's value beside those of the type, not in an object.
///
/// An optional property is `nil` if a key is missing that its value must have.
@attached(peer)
public macro Flattened() =
  #externalMacro(module: "KeepsakeMacroPlugin", type: "StoredAttribute")

/// Leaves out a property, which has its initial value after reading.
@attached(peer)
public macro NotStored() =
  #externalMacro(module: "KeepsakeMacroPlugin", type: "StoredAttribute")

/// Keeps what the type does not know: a property of type `[String: JSON.Value]` the values of
/// other keys, a case with one associated value the whole value of a case that is none of the type's.
/// Both are written back unchanged.
@attached(peer)
public macro Unknown() =
  #externalMacro(module: "KeepsakeMacroPlugin", type: "StoredAttribute")
#endif
