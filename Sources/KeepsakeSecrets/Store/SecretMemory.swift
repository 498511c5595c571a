#if Secrets
import KeepsakeBase

/// Secrets that are kept only in memory.
final class SecretMemory: SecretBackend {
  private let secrets = Mutex<[SecretName: [UInt8]]>([:])

  func names() throws(SecretError) -> [SecretName] {
    secrets.withLock { $0.keys.sorted() }
  }

  func bytes(for name: SecretName) throws(SecretError) -> [UInt8]? {
    secrets.withLock { $0[name] }
  }

  func update(_ body: (inout SecretChanges) throws -> Void) throws {
    try secrets.withLock { secrets in
      let stored = secrets
      var changes = SecretChanges { stored[$0] }
      try body(&changes)
      for (name, bytes) in changes.changes { secrets[name] = bytes }
    }
  }
}
#endif
