import KeepsakeBase
package import KeepsakeDocuments
package import KeepsakeSettings

/// How far the documents of a directory agree with those of other machines, as the files say, whichever process
/// exchanges them.
package final class DocumentAgreement: Sendable {
  private let documents: any SharedDocuments
  private let index: DocumentIndex
  private let digests = Mutex<[String: (stamp: FileStamp, digest: String?)]>([:])

  /// - Returns: Nil if no process has ever shared the documents.
  package init?(of documents: any SharedDocuments) throws {
    let lock = documents.sharingDirectory.appending("\(documents.pathExtension).lock")
    guard try documents.fileSystem.information(at: lock) != nil else { return nil }
    self.documents = documents
    index = try DocumentIndex(of: documents)
  }

  /// The engine's revision that the documents have.
  package var log: SyncLog { index.log }

  /// The documents that other machines do not have as they are here; also those that were removed here.
  ///
  /// - Complexity: O(*n*) in the number of documents, and in the bytes of those that have changed since the last call.
  package func toBeSent() throws -> Set<String> {
    do { try index.refresh() } catch is DocumentExchange.IsElsewhere {
      // Another directory is in the documents' place, whose index was read.
    }
    let stamps = try documents.stamps()
    return try digests.withLock { digests in
      digests = digests.filter { stamps[$0.key] != nil }
      var names = index.names.filter { index[$0].base != nil && documents.isName($0) }
      for (name, stamp) in stamps {
        if digests[name]?.stamp != stamp {
          let digest = try documents.content(of: name)?.digest
          digests[name] = (stamp, digest)
        }
        let digest = digests[name]?.digest
        let isSame = index[name].found(digest).base?.digest == digest
        if isSame { names.remove(name) } else { names.insert(name) }
      }
      return names
    }
  }

  /// The copies that are still there of documents that were changed here and elsewhere, with these documents' names.
  package func copies() throws -> [String: String] {
    let stamps = try documents.stamps()
    return index.copies.filter { stamps[$0.key] != nil && stamps[$0.value] != nil }
  }
}
