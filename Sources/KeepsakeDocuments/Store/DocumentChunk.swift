/// The documents of some files, in order.
struct DocumentChunk<Document: Sendable>: Sendable {
  /// The documents, or the errors of their files; `nil` for those that were taken.
  typealias Results = [Result<Document, DocumentError>?]

  var names: ArraySlice<String> = []
  var results: Results = []
  /// The content of each file; `nil` if it is not a document.
  var contents: [KnownContents.Content?] = []
  /// The number of contents that the store had written before they were read.
  var writeCount = 0
  /// The total length of the files.
  var size = 0

  /// The errors of files whose results were not taken.
  var errors: [DocumentError] {
    results.compactMap { result in
      if case .failure(let error) = result { error } else { nil }
    }
  }
}
