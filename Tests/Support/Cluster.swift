import KeepsakeBase
import KeepsakeCoding
import SystemPackage

/// etcd and PostgreSQL on this machine, in processes that end with this value.
package final class Cluster: Sendable {
  /// Whether etcd and etcdctl are installed; they are not on each platform that tests run on.
  package static let hasEtcd = isInstalled("/usr/bin/etcd") && isInstalled("/usr/bin/etcdctl")
  /// Whether a version of PostgreSQL that is supported is installed, as Debian does it.
  package static let hasPostgres =
    isInstalled("/usr/bin/psql")
    && (14...30).contains { isInstalled(FilePath("/usr/lib/postgresql/\($0)/bin/postgres")) }

  /// The addresses of the nodes of etcd, and of PostgreSQL.
  package struct Addresses: Decodable, Sendable {
    package let etcd: [String]?
    package let postgres: String?
    /// A file with the certificate of who signed those of the nodes.
    package let authority: String?
    /// Files with a certificate that clients can show, and its key.
    package let certificate: String?
    package let key: String?
    /// Whether nodes can be cut off from each other, and their disks filled.
    package let partitions: Bool
  }

  package let addresses: Addresses
  private let worker: Mutex<Worker>

  /// - Parameter arguments: Those of `Scripts/cluster`.
  package init(_ arguments: String...) throws {
    let worker = try Worker(arguments, of: .cluster)
    guard let line = try worker.readLine() else { throw Worker.Failure.ended }
    addresses = try JSON.Decoder().decode(Addresses.self, from: Array(line.utf8))
    self.worker = Mutex(worker)
  }

  deinit { _ = worker.withLock { try? $0.end() } }

  /// The addresses of etcd's nodes.
  package var etcd: [String] { addresses.etcd ?? [] }

  /// The URI of PostgreSQL's database.
  package var postgres: String { addresses.postgres ?? "" }

  /// Performs one of the commands of `Scripts/cluster`.
  package func perform(_ command: String) throws {
    let answer = try worker.withLock { try $0.ask(command) }
    guard answer == "done" else { throw Refused(command: command, answer: answer) }
  }

  private struct Refused: Error {
    let command: String
    let answer: String
  }

  private static func isInstalled(_ program: FilePath) -> Bool {
    guard let file = try? FileDescriptor.open(program, .readOnly) else { return false }
    try? file.close()
    return true
  }
}
