#if Portal
import CDBus
import Foundation
import KeepsakeTestSupport
import SystemPackage

/// A message bus of the test's own, on which nothing is started by itself.
final class PrivateBus {
  let address: String
  private let process = Process()

  static var isInstalled: Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/dbus-daemon")
    }
  }

  init(in directory: FilePath) throws {
    address = "unix:path=\(directory.appending("bus"))"
    let configuration = directory.appending("bus.conf")
    try write(
      """
      <busconfig>
        <type>session</type>
        <listen>\(address)</listen>
        <policy context="default">
          <allow send_destination="*"/>
          <allow receive_sender="*"/>
          <allow own="*"/>
          <allow user="*"/>
        </policy>
      </busconfig>
      """, to: configuration)
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "dbus-daemon", "--config-file=\(configuration)", "--nofork", "--nopidfile",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    // Its socket exists before connections are accepted.
    for _ in 0..<10_000 {
      if let connection = dbus_connection_open_private(address, nil) {
        dbus_connection_close(connection)
        dbus_connection_unref(connection)
        return
      }
      usleep(1000)
    }
    throw Errno.connectionRefused
  }

  func stop() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  deinit { if process.isRunning { stop() } }
}
#endif
