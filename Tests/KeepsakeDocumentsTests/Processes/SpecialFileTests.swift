import KeepsakeBase
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@Suite("P4: A pipe, a socket, a device or a directory in place of a file is one error, at once")
struct SpecialFileTests {
  enum Kind: String, CaseIterable {
    case pipe, unixSocket, device, directory

    /// - Returns: Whether this process may make one.
    func make(at path: FilePath) throws -> Bool {
      switch self {
      case .pipe: return mkfifo(path.string, 0o600) == 0
      case .unixSocket: return bindSocket(at: path)
      // The device of /dev/tty, which would be read without end.
      case .device: return mknod(path.string, S_IFCHR | 0o600, 0x500) == 0
      case .directory:
        try LocalFileSystem().createDirectory(path)
        return true
      }
    }

    private func bindSocket(at path: FilePath) -> Bool {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      guard path.string.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
        return false
      }
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.string.utf8) }
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      return withUnsafeBytes(of: &address) { bytes in
        bind(
          descriptor, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self),
          socklen_t(bytes.count)) == 0
      }
    }
  }

  @Test("In place of a document", .timeLimit(.minutes(10)), arguments: Kind.allCases)
  func document(kind: Kind) async throws {
    try await withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      let store = try directory.open()
      try store.save(WrittenCard(id: "good"))
      guard try kind.make(at: directory.file("card")) else { return }
      for attempt in [
        { () throws in _ = try store.load("card") },
        { try store.save(WrittenCard(id: "card")) },
        { try store.create(WrittenCard(id: "card")) },
        { _ = try store.open("card") },
        { _ = try store.remove("card") },
        { _ = try store.recover("card") },
      ] {
        let error = #expect(throws: DocumentError.self) { try attempt() }
        #expect(error?.code == .unavailable)
        #expect(error?.file == directory.file("card"))
      }
      var errors: [DocumentError] = []
      var ids: [String] = []
      for await element in store.loadAll() {
        switch element.result {
        case .success(let card): ids.append(card.id)
        case .failure(let error): errors.append(error)
        }
      }
      #expect(ids == ["good"])
      #expect(errors.map(\.code) == [.unavailable])
      _ = try store.collectOrphans(olderThan: .zero)
    }
  }

  @Test("In place of a past version", .timeLimit(.minutes(10)), arguments: Kind.allCases)
  func version(kind: Kind) throws {
    try withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      let problems = ReportedProblems<DocumentError>()
      let store = try directory.open(problems)
      var card = WrittenCard(id: "card")
      for text in ["one", "two", "three"] {
        card.text = text
        try store.save(card)
      }
      let version = try #require(try store.versions(of: "card").first)
      try LocalFileSystem().remove(version.file)
      guard try kind.make(at: version.file) else { return }
      // The others are there.
      #expect(try store.versions(of: "card").count == 1)
      #expect(problems.all.first?.file == version.file)
      card.text = "four"
      try store.save(card)
      #expect(try store.versions(of: "card").count == 2)
    }
  }

  @Test("In place of an asset", .timeLimit(.minutes(10)), arguments: Kind.allCases)
  func asset(kind: Kind) throws {
    try withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      let store = try directory.open()
      let asset = try store.addAsset(writtenImage(1))
      try LocalFileSystem().remove(store.path(of: asset))
      guard try kind.make(at: store.path(of: asset)) else { return }
      let error = #expect(throws: DocumentError.self) { try store.asset(asset) }
      #expect(error?.code == .unavailable)
      var card = WrittenCard(id: "card")
      card.images = [asset.name]
      let saving = #expect(throws: DocumentError.self) { try store.save(card) }
      #expect(saving?.code == .notWritten)
      #expect(try store.ids().isEmpty)
    }
  }

  @Test("In place of the lock's file", .timeLimit(.minutes(10)), arguments: Kind.allCases)
  func lock(kind: Kind) throws {
    try withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      let store = try directory.open()
      guard try kind.make(at: directory.path.appending(".rwcard.lock")) else { return }
      let error = #expect(throws: DocumentError.self) { try store.save(WrittenCard(id: "card")) }
      #expect(error?.code == .notWritten)
      #expect(try store.ids().isEmpty)
    }
  }

  @Test(
    "In place of a directory of the store", .timeLimit(.minutes(10)),
    arguments: Kind.allCases.dropLast(), ["Versions", "Trash", "Quarantine"])
  func directory(kind: Kind, name: String) throws {
    try withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      let store = try directory.open()
      guard try kind.make(at: directory.path.appending(name)) else { return }
      var card = WrittenCard(id: "card")
      for text in ["one", "two"] {
        card.text = text
        try store.save(card)
      }
      if name == "Trash" { #expect(throws: DocumentError.self) { try store.remove("card") } }
      #expect(try store.load("card").text == "two")
    }
  }
}
