#if Commands
import ArgumentParser
import KeepsakeFiles
import SystemPackage

/// Writes everything that an app keeps into one file.
struct BackupCommand<App: AppSelection>: AppCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "backup",
      abstract: "Write everything that an app keeps into a tar archive, while it runs or not.",
      discussion: """
        Settings and scenes are each of one moment, and so is each document; caches and temporary \
        files are left out, and so are key files unless --include-keys is given. The archive has \
        the layout of --root: unpacked with tar, it is such a directory.
        """)
  }

  @OptionGroup var app: App
  @Argument(
    help: "The archive, which is replaced; '-' writes the standard output.", completion: .file())
  var archive: String
  @Flag(help: "Include files that look like keys of secrets.") var includeKeys = false

  func perform(_ output: Output) async throws {
    func backup(_ write: @escaping ([UInt8]) throws -> Void) throws -> String {
      try AppBackup(app.container, includesKeys: includeKeys, output, write: write).run()
    }
    if archive == "-" { return output.warn(try backup { try output.write($0) }) }
    let path = FilePath(archive)
    let partial = FilePath("\(archive).\(UInt32.random(in: 0 ... .max)).partial")
    let file: FileDescriptor
    do {
      file = try FileDescriptor.open(
        partial, .writeOnly, options: [.create, .exclusiveCreate, .noFollow],
        permissions: .ownerReadWrite)
    } catch {
      throw CommandError(.notCreated, "The archive cannot be created at '\(partial)': \(error).")
    }
    do {
      let counts = try file.closeAfter {
        let counts = try backup { _ = try file.writeAll($0) }
        try LocalFileSystem().open(partial, .append).synchronize()
        return counts
      }
      try LocalFileSystem().rename(partial, to: path)
      let directory = path.removingLastComponent()
      try LocalFileSystem().synchronizeDirectory(directory.isEmpty ? "." : directory)
      try output.line(counts)
    } catch {
      try? LocalFileSystem().remove(partial)
      throw error
    }
  }
}
#endif
