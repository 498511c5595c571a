#if Secrets
import Foundation
import KeepsakeFiles
import KeepsakeTestSupport
import KeepsakeTesting
import SystemPackage
import Testing

@testable import KeepsakeSecrets

@Suite("P10: The files of a store of secrets") struct SecretsAccessTests {
  private func mode(of path: FilePath) -> mode_t {
    var status = stat()
    return path.withPlatformString { lstat($0, &status) } == 0 ? status.st_mode & 0o777 : 0
  }

  @Test("that other users can access are narrowed and reported, once") func narrowed() throws {
    try withTemporaryDirectory { directory in
      let container = AppContainer(root: directory, identifier: "com.example.app")
      let key = SecretsKey.keyFile(directory.appending("key"))
      let witness = directory.appending("witness")
      try SecretStore(container: container, key: key, witness: witness).set(1, for: "a")
      let file = container.applicationSupport.appending("secrets.json")
      let lock = container.applicationSupport.appending("secrets.json.lock")
      let paths = [container.applicationSupport, file, lock, witness]
      for path in paths {
        #expect(chmod(path.string, path == container.applicationSupport ? 0o755 : 0o664) == 0)
      }
      let problems = ReportedProblems<SecretError>()
      let store = SecretStore(
        container: container, key: key, witness: witness, onProblem: problems.add)
      #expect(try store.value(for: "a") == 1)
      #expect(mode(of: container.applicationSupport) == 0o700)
      for path in paths.dropFirst() { #expect(mode(of: path) == 0o600, "\(path)") }
      #expect(Set(problems.all.compactMap(\.file)) == Set(paths))
      #expect(problems.all.allSatisfy { $0.code == .exposed })
      #expect(problems.all.contains { "\($0)".contains("0755") })
      try store.set(2, for: "a")
      #expect(try store.value(for: "a") == 2)
      #expect(problems.all.count == paths.count)
      #expect(chmod(file.string, 0o644) == 0)
      #expect(try store.value(for: "a") == 2)
      #expect(mode(of: file) == 0o600)
      #expect(problems.all.count == paths.count + 1)
    }
  }

  @Test("that cannot be narrowed are reported, once") func notNarrowed() throws {
    let disk = SimulatedDisk()
    try SecretStore.onDisk(disk).set(1, for: "a")
    let bytes = disk.bytes(at: SecretStore.path)!
    try disk.write(bytes, to: SecretStore.path, permissions: FilePermissions(rawValue: 0o644))
    let problems = ReportedProblems<SecretError>()
    let store = SecretStore(
      file: SecretStore.path, identifier: "com.example.app", key: .keyFile(SecretStore.keyPath),
      fileSystem: disk, onProblem: problems.add)
    for _ in 0..<2 { #expect(try store.value(for: "a") == 1) }
    #expect(problems.all.map(\.code) == [.exposed])
    #expect("\(problems.all)".contains("0644"))
  }

  @Test("in a directory that is not the app's leave its permissions unchanged")
  func otherDirectory() throws {
    try withTemporaryDirectory { directory in
      #expect(chmod(directory.string, 0o755) == 0)
      let problems = ReportedProblems<SecretError>()
      let store = SecretStore.inDirectory(directory, onProblem: problems.add)
      try store.set(1, for: "a")
      #expect(try store.value(for: "a") == 1)
      #expect(mode(of: directory) == 0o755)
      #expect(problems.all.isEmpty)
    }
  }

  @Test("of writers that were killed are removed after an hour, not while another one may write")
  func leftovers() throws {
    try withTemporaryDirectory { directory in
      let (old, new) = (
        directory.appending(".secrets.json.old.new"), directory.appending(".secrets.json.new.new")
      )
      let files = LocalFileSystem()
      for path in [old, new] { try files.replaceFile(at: path, with: [1]) }
      let hours = Date.now.addingTimeInterval(-2 * 3600)
      try FileManager.default.setAttributes([.modificationDate: hours], ofItemAtPath: old.string)
      try SecretStore.inDirectory(directory).set(1, for: "a")
      #expect(try files.information(at: old) == nil)
      #expect(try files.information(at: new) != nil)
    }
  }

  @Test("include a key file that only its owner can access, and that is a file") func keyFile()
    throws
  {
    try withTemporaryDirectory { directory in
      try SecretStore.inDirectory(directory).set(1, for: "a")
      let path = directory.appending("key")
      let kept = directory.appending("kept")
      let files = LocalFileSystem()
      #expect(try KeyMaterial.read(keyFile: path, in: files).count >= 32)
      let changes: [(String, () throws -> Void)] = [
        ("other users", { _ = chmod(path.string, 0o604) }),
        ("missing", { try files.rename(path, to: kept) }),
        ("symbolic link", { _ = symlink(kept.string, path.string) }),
        ("cannot be read", { _ = mkfifo(path.string, 0o600) }),
        ("cannot be read", { _ = mkdir(path.string, 0o700) }),
      ]
      for (reason, change) in changes {
        try change()
        let error = try #require(throws: SecretError.self) {
          try SecretStore.inDirectory(directory).value(for: "a", as: Int.self)
        }
        #expect(error.code == .keyUnavailable)
        #expect("\(error)".contains(reason))
        if reason == "other users" {
          #expect(chmod(path.string, 0o600) == 0)
        } else {
          _ = remove(path.string)
        }
      }
      try files.rename(kept, to: path)
      #expect(try SecretStore.inDirectory(directory).value(for: "a") == 1)
    }
  }

  @Test(
    "include a key file that belongs to the user",
    .enabled(if: geteuid() == 0, "needs the superuser"))
  func keyOwner() throws {
    try withTemporaryDirectory { directory in
      try SecretStore.inDirectory(directory).set(1, for: "a")
      let path = directory.appending("key")
      #expect(chown(path.string, 4711, 4711) == 0)
      let error = try #require(throws: SecretError.self) {
        try SecretStore.inDirectory(directory).value(for: "a", as: Int.self)
      }
      #expect(error.code == .keyUnavailable)
      #expect("\(error)".contains("another user"))
      // A program that is run once with sudo(8) uses the files of the user.
      #expect(chown(directory.string, 4711, 4711) == 0)
      #expect(try SecretStore.inDirectory(directory).value(for: "a") == 1)
    }
  }

  /// Exchanges the key file just after it was opened.
  private struct ExchangingFileSystem: ForwardingFileSystem {
    let base: LocalFileSystem
    let path: FilePath
    let other: FilePath

    func open(_ path: FilePath, _ mode: FileOpenMode) throws(FileError) -> any OpenFile {
      let file = try base.open(path, mode)
      if path == self.path { try base.rename(other, to: path) }
      return file
    }
  }

  @Test("include a key file whose checks are those of the file that was read") func exchangedKey()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory.appending("key")
      let other = directory.appending("other")
      let local = LocalFileSystem()
      try local.replaceFile(at: path, with: [UInt8](repeating: 1, count: 32))
      try local.replaceFile(at: other, with: [UInt8](repeating: 2, count: 32))
      #expect(chmod(path.string, 0o644) == 0)
      let files = ExchangingFileSystem(base: local, path: path, other: other)
      let error = try #require(throws: SecretError.self) {
        try KeyMaterial.read(keyFile: path, in: files)
      }
      #expect("\(error)".contains("other users"))
    }
  }
}
#endif
