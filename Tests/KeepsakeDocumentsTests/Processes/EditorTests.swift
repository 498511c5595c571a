import KeepsakeBase
import KeepsakeDocuments
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

/// The steps in which editors save, as strace shows them.
@Suite("A document that is edited in an editor while it is open") struct EditorTests {
  enum Editor: CaseIterable {
    /// Probes whether it may create files, keeps a swap file, and renames the old file to a backup.
    case vim
    /// Keeps a backup, beside a file with the changes that are not saved.
    case emacs
    /// Writes another file with other permissions, and renames it.
    case gedit
    /// Writes in place, and changes the permissions.
    case nano

    func save(_ text: String, as path: FilePath) throws {
      let files = LocalFileSystem()
      let directory = path.removingLastComponent()
      func write(_ text: String, _ name: String, _ permissions: FilePermissions = .ownerReadWrite)
        throws
      {
        let file = try FileDescriptor.open(
          directory.appending(name), .writeOnly, options: [.create, .truncate],
          permissions: permissions)
        try file.closeAfter { _ = try file.writeAll(text.utf8) }
      }
      let name = path.lastComponent!.string
      switch self {
      case .vim:
        try write("swap", ".\(name).swp")
        try write("", "4913")
        try files.remove(directory.appending("4913"))
        try files.rename(path, to: directory.appending("\(name)~"))
        try write(text, name)
        #expect(chmod(path.string, 0o644) == 0)
        try files.remove(directory.appending("\(name)~"))
        try files.remove(directory.appending(".\(name).swp"))
      case .emacs:
        try write(String(text.dropLast(3)), "#\(name)#")
        #expect(symlink("user@host.1234", directory.appending(".#\(name)").string) == 0)
        try files.rename(path, to: directory.appending("\(name)~"))
        try write(text, name)
        try files.remove(directory.appending("#\(name)#"))
        try files.remove(directory.appending(".#\(name)"))
      case .gedit:
        try write(text, ".goutputstream-A1B2C3", [.ownerReadWrite, .groupRead, .otherRead])
        try files.rename(directory.appending(".goutputstream-A1B2C3"), to: path)
      case .nano:
        try write(text, name)
        #expect(chmod(path.string, 0o640) == 0)
      }
    }
  }

  @Test(
    "It follows, is saved again, and the editor's other files are no documents",
    .timeLimit(.minutes(10)), arguments: Editor.allCases)
  func follows(editor: Editor) async throws {
    try await withTemporaryDirectory { root in
      let directory = CardDirectory(root)
      let problems = ReportedProblems<DocumentError>()
      let store = try directory.open(problems)
      let live = try store.add(WrittenCard(id: "card"))
      var values = live.values.makeAsyncIterator()
      for number in 1...3 {
        var card = live.value
        card.text = "edited \(number)"
        var text = ""
        try withTemporaryDirectory { root in
          let elsewhere = CardDirectory(root)
          try elsewhere.open().save(card)
          text = try elsewhere.text("card")
        }
        try editor.save(text, as: directory.file("card"))
        while live.value.text != card.text { _ = try await values.next() }
        #expect(live.conflict == nil && !live.isRemoved)

        live.edit { $0.number = number }
        try live.save()
        #expect(try directory.open().load("card") == live.value)
        #expect(live.value.text == card.text && live.conflict == nil)
      }
      #expect(try store.ids() == ["card"])
      #expect(problems.all.isEmpty, "\(problems.all)")
      let permissions = try LocalFileSystem().information(at: directory.file("card"))?.permissions
      switch editor {
      case .vim, .gedit: #expect(permissions == [.ownerReadWrite, .groupRead, .otherRead])
      case .emacs: #expect(permissions == .ownerReadWrite)
      case .nano: #expect(permissions == [.ownerReadWrite, .groupRead])
      }
    }
  }
}
