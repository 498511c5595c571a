#if Portal
import KeepsakeBase
import SystemPackage

/// A socket that lets others connect and never reads or answers.
final class SilentSocket {
  private let descriptor: Int32

  init(at path: FilePath) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.string.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard code == 0, listen(descriptor, 8) == 0 else { throw Errno(rawValue: errno) }
  }

  deinit { close(descriptor) }
}
#endif
