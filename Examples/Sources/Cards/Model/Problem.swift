import Stage

/// What the user should know: in plain words, and for those who look into it.
struct Problem: Equatable {
  let message: String
  var details: String?
}

extension Problem {
  init(_ error: any Error) {
    message =
      (error as? DocumentError)?.plainMessage ?? "Something went wrong. Nothing was removed."
    details = "\(error)"
  }
}

extension DocumentError {
  fileprivate var plainMessage: String {
    switch code {
    case .unreadable:
      // What is not even a document has been moved.
      file.map { FileManager.default.fileExists(atPath: $0.string) } == false
        ? "A card is damaged and cannot be shown. Its file was moved to the folder “Quarantine”."
        : "A card cannot be read. Its file was left as it is: another version may be able to."
    case .newerVersion:
      "A card is of a newer version of this app. Its file was left as it is."
    case .notFound: "This card no longer exists."
    case .notWritten:
      "The last change could not be saved. It is kept here and saved with the next one: "
        + "see whether the disk is full."
    case .notDurable: "The last change was saved, but the disk may lose it if the power fails."
    case .unavailable: "A card cannot be read at the moment. Its file was left as it is."
    case .invalidAsset: "This picture cannot be kept. The card was not changed."
    default: "Something went wrong with a card. Its file was left as it is."
    }
  }
}
