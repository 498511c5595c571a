import SystemPackage

/// One document's file as it is to be written.
struct DocumentWriting: Sendable {
  /// The file's name.
  let name: String
  /// What it is to hold.
  let text: [UInt8]
  /// What it held when the text was made; `nil` where there was none.
  let found: [UInt8]?
  /// Whether all of the text is known to the document's type.
  var isWhollyKnown = false
  /// Whether what is replaced is to be kept as a past version.
  var isKeepingVersion = true
}
