import KeepsakeFiles
import KeepsakeTesting
import SystemPackage

/// A writer that replaces a file durably, with steps that a test can leave out.
struct Writer {
  static let path: FilePath = "/file"

  var flushesFile = true
  var flushesDirectory = true

  /// Replaces the content, and marks the point from which it must be durable.
  func replace(with content: [UInt8], in files: any FileSystem, on disk: SimulatedDisk) throws {
    let file = try files.open("/new", .createNew(permissions: .ownerReadWrite))
    try file.writeAll(content)
    if flushesFile { try file.synchronize() }
    try files.rename("/new", to: Self.path)
    if flushesDirectory { try files.synchronizeDirectory("/") }
    disk.mark("replaced")
  }

  /// Replaces the content, cuts the power at every possible point, and checks that either content
  /// is whole: the new one once it must be durable.
  func explore(_ model: SimulatedDisk.Model) async throws -> CutExplorer.Report {
    try await CutExplorer(model: model).run(from: Self.start()) { disk in
      try replace(with: Self.new, in: disk, on: disk)
    } check: { disk, cut in
      try Self.check(disk, cut)
    }
  }

  static let old = [UInt8](repeating: 1, count: 700)
  static let new = [UInt8](repeating: 2, count: 1100)

  static func start() throws -> SimulatedDisk {
    let disk = SimulatedDisk()
    try disk.write(old, to: path)
    return disk
  }

  static func check(_ disk: SimulatedDisk, _ cut: CutExplorer.Point) throws {
    let found = disk.bytes(at: path)
    if found == old && cut.marks.isEmpty || found == new { return }
    throw found == old ? Loss.old : found == nil ? .missing : .torn
  }
}

/// The state in which a file was found.
enum Loss: Error {
  case old
  case missing
  case torn
}
