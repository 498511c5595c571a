/// What some files held, in order.
struct DocumentPiece<Document: Sendable>: Sendable {
  /// Some documents in order, or why their files gave none; `nil` where it was taken.
  typealias Results = [Result<Document, DocumentError>?]

  var names: ArraySlice<String> = []
  var results: Results = []
  /// What each file held; `nil` where that is no document.
  var contents: [KnownContents.Content?] = []
  /// How many contents the store had written before they were read.
  var writeCount = 0
  /// How long the files are together.
  var size = 0

  /// Why files gave no documents, of those that were not taken.
  var errors: [DocumentError] {
    results.compactMap { result in
      if case .failure(let error) = result { error } else { nil }
    }
  }
}
