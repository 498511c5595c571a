import KeepsakeBase

/// The stores that have unsaved documents, so that each is saved when the process exits.
enum UnsavedDocuments {
  protocol Owner: AnyObject, Sendable {
    func saveAtExit()
    func assetsOfUnsaved(in directory: DocumentDirectory) throws(DocumentError) -> Set<Asset>
  }

  private static let owners = Mutex<[any Owner]?>(nil)

  static func saveAtExit(_ owner: any Owner) {
    owners.withLock { owners in
      if owners == nil { AtExit.run { UnsavedDocuments.saveAll() } }
      owners = (owners ?? []).filter { $0 !== owner } + [owner]
    }
  }

  static func forget(_ owner: any Owner) {
    owners.withLock { $0?.removeAll { $0 === owner } }
  }

  /// The stores that have unsaved documents.
  static var all: [any Owner] { owners.withLock { $0 ?? [] } }

  private static func saveAll() {
    for owner in all { owner.saveAtExit() }
  }
}
