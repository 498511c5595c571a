import SystemPackage

/// A document's file to write.
struct DocumentWriting: Sendable {
  /// The file's name.
  let name: String
  /// The new content.
  let text: [UInt8]
  /// The content when the text was made; `nil` if there was no file.
  let found: [UInt8]?
  /// Whether the text contains no unknown keys.
  var isWhollyKnown = false
  /// Whether the old content is kept as a past version.
  var isKeepingVersion = true
  /// Why the old content is not a document, and goes to the quarantine, which is reported; `nil` if it is one.
  var damage: DocumentError?
}
