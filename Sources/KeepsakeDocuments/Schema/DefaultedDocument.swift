/// A document whose properties have defaults, which count where a file lacks their keys.
///
/// A type's synthesized `init(from:)` fails where a key is missing, whatever default its property has.
/// With this conformance a file that an older version of the app wrote is filled up from ``init()``
/// before it is given up:
///
/// ```swift
/// struct Card: Codable, Identifiable, DefaultedDocument {
///   var id = UUID()
///   var title = ""
///   var backgroundColor = [1.0, 1.0, 0.0, 1.0]     // new: older files have none
/// }
/// ```
///
/// Objects inside the document are filled up too, the elements of arrays are not. The file keeps what
/// it has until the document is changed and saved.
public protocol DefaultedDocument: Encodable {
  /// A document with every default.
  init()
}
