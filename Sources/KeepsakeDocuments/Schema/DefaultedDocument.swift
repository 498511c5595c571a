/// A document whose properties have defaults, which count where a file lacks their keys.
///
/// A type's synthesized `init(from:)` fails where a key is missing, whatever default its property has.
/// With this conformance a file that an older version of the app wrote gets the keys that it lacks from
/// ``init()``, before it is given up:
///
/// ```swift
/// struct Card: Codable, Identifiable, DefaultedDocument {
///   var id = UUID()
///   var title = ""
///   var backgroundColor = [1.0, 1.0, 0.0, 1.0]     // new: older files have none
/// }
/// ```
///
/// Only keys count without which the type cannot be decoded, one after the other: an optional property
/// is `nil` where its key is missing, whatever its default, and a dictionary has the entries that the
/// file has. Objects inside the document get what they lack too, if the default document has one in
/// the same place; the elements of arrays do not. The file keeps what it has until the document is
/// changed and saved.
public protocol DefaultedDocument: Encodable {
  /// A document with every default.
  init()
}
