#if Portal
import Foundation
import KeepsakeFiles
import KeepsakeTestSupport
import SystemPackage
import Testing

@testable import KeepsakeDirectories

@Suite(
  "A directory is chosen in the desktop's dialog",
  .enabled(if: PrivateBus.isInstalled, "needs dbus-daemon"), .timeLimit(.minutes(10)))
struct PortalDirectoryChooserTests {
  private let panel = DirectoryPanel(message: "Choose your directory", prompt: "Choose_it")

  /// Chooses with a portal that answers in one way.
  private func choose(
    version: UInt32? = 4, handle: String? = nil, answer: FakePortal.Answer,
    panel: DirectoryPanel? = nil, timeout: Duration = .seconds(25),
    then check: (FakePortal) async throws -> Void = { _ in }
  ) async throws -> FilePath? {
    try await withTemporaryDirectory { directory in
      let bus = try PrivateBus(in: directory)
      let portal = FakePortal(
        address: bus.address, version: version, handle: handle, answer: answer)
      defer { portal.stop() }
      let chooser = PortalDirectoryChooser(
        busAddress: bus.address, parentWindow: "x11:2a", replyTimeout: timeout)
      let result: Result<FilePath?, any Error>
      do {
        result = .success(try await chooser.chooseDirectory(panel ?? self.panel))
      } catch {
        result = .failure(error)
      }
      try await check(portal)
      return try result.get()
    }
  }

  private func uris(_ uris: String...) -> [String: BusValue] { ["uris": .strings(uris)] }

  @Test("The dialog is asked for with the panel's texts, and its directory is returned")
  func success() async throws {
    try await withTemporaryDirectory { directory in
      let chosen = realPath(of: directory).appending("My Photos")
      try makeDirectory(chosen)
      var panel = panel
      panel.directory = directory
      for version: UInt32 in [3, 4] {
        let result = try await choose(
          version: version,
          answer: .response(0, uris("file://\(realPath(of: directory).string)/My%20Photos")),
          panel: panel
        ) { (portal) async throws in
          let arguments = try #require(portal.call("OpenFile"))
          #expect(arguments[..<2] == [.string("x11:2a"), .string("Choose your directory")])
          guard case .dictionary(let options) = arguments[2] else {
            Issue.record("no options")
            return
          }
          #expect(options["directory"] == .boolean(true))
          #expect(options["accept_label"] == .string("Choose__it"))
          let folder = BusValue.bytes(Array(directory.string.utf8) + [0])
          #expect(options["current_folder"] == (version == 4 ? folder : nil))
        }
        #expect(result == chosen)
      }
    }
  }

  @Test("Canceling or closing the dialog chooses none") func cancel() async throws {
    for code: UInt32 in [1, 2] {
      #expect(try await choose(answer: .response(code, [:])) == nil)
    }
  }

  @Test("An answer counts wherever its request is, and before the call has returned")
  func handles() async throws {
    #expect(try await choose(answer: .earlyResponse(uris("file:///tmp"))) == realPath(of: "/tmp"))
    let elsewhere = "/org/freedesktop/portal/desktop/request/1_2/elsewhere"
    #expect(
      try await choose(handle: elsewhere, answer: .response(0, uris("file:///tmp")))
        == realPath(of: "/tmp"))
  }

  @Test("The answer of another program is ignored") func impostor() async throws {
    let answer = FakePortal.Answer.impostor(uris("file:///etc"), uris("file:///tmp"))
    #expect(try await choose(answer: answer) == realPath(of: "/tmp"))
  }

  @Test("What is not a directory of this machine is an error") func answers() async throws {
    await #expect(throws: DirectoryChooserError.notLocal("sftp://host/work")) {
      try await choose(answer: .response(0, uris("sftp://host/work")))
    }
    await #expect(throws: DirectoryChooserError.notADirectory("/etc/passwd")) {
      try await choose(answer: .response(0, uris("file:///etc/passwd")))
    }
    await #expect(throws: DirectoryChooserError.missing("/no/such")) {
      try await choose(answer: .response(0, uris("file:///no/such")))
    }
    await #expect(throws: DirectoryChooserError.failed("its response names no directory")) {
      try await choose(answer: .response(0, ["uris": .uint32(7)]))
    }
    await #expect(throws: DirectoryChooserError.failed("its response has another form")) {
      try await choose(answer: .malformedResponse)
    }
    await #expect(throws: DirectoryChooserError.failed("no dialog (org.example.Broken)")) {
      try await choose(answer: .error("org.example.Broken"))
    }
  }

  @Test("Without a portal that chooses directories it is unavailable, and says why")
  func unavailable() async throws {
    let old = await #expect(throws: DirectoryChooserError.self) {
      try await choose(version: 2, answer: .none)
    }
    #expect(old == .unavailable("the desktop portal cannot choose directories yet"))
    try await withTemporaryDirectory { directory in
      let bus = try PrivateBus(in: directory)
      for address in [bus.address, "unix:path=\(directory)/none", "nonsense"] {
        let chooser = PortalDirectoryChooser(busAddress: address)
        let error = await #expect(throws: DirectoryChooserError.self) {
          try await chooser.chooseDirectory(panel)
        }
        #expect("\(error!)".hasPrefix("no directory can be chosen: there is no "))
      }
    }
  }

  @Test("The session's bus is found by its variable or in the runtime directory, and never started")
  func address() throws {
    try withTemporaryDirectory { directory in
      func address(_ environment: [String: String]) -> String? {
        PortalDirectoryChooser.sessionBusAddress(in: environment)
      }
      let runtime = directory.appending("a b")
      #expect(address(["XDG_RUNTIME_DIR": runtime.string]) == nil)
      try write("", to: runtime.appending("bus"))
      let found = "unix:path=\(directory)/a%20b/bus"
      #expect(address(["XDG_RUNTIME_DIR": runtime.string]) == found)
      #expect(address(["XDG_RUNTIME_DIR": "relative"]) == nil)
      #expect(address(["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"]) == "unix:path=/x")
      #expect(
        address(["DBUS_SESSION_BUS_ADDRESS": "autolaunch:", "XDG_RUNTIME_DIR": runtime.string])
          == nil)
      #expect(address([:]) == nil)
    }
  }

  @Test("A portal that does not answer is an error in time, and its dialog is closed")
  func silence() async throws {
    let timeout = Duration.milliseconds(300)
    await #expect(throws: DirectoryChooserError.noAnswer(after: timeout)) {
      try await choose(version: nil, answer: .none, timeout: timeout)
    }
    await #expect(throws: DirectoryChooserError.noAnswer(after: timeout)) {
      try await choose(answer: .noReply, timeout: timeout) { (portal) async throws in
        while portal.call("Close") == nil { try await Task.sleep(for: .milliseconds(5)) }
      }
    }
  }

  @Test("A bus that accepts the connection and says nothing is an error in time")
  func silentBus() async throws {
    try await withTemporaryDirectory { directory in
      let listener = try SilentSocket(at: directory.appending("bus"))
      let chooser = PortalDirectoryChooser(
        busAddress: "unix:path=\(directory)/bus", replyTimeout: .milliseconds(300))
      await #expect(throws: DirectoryChooserError.noAnswer(after: .milliseconds(300))) {
        try await chooser.chooseDirectory(panel)
      }
      let patient = PortalDirectoryChooser(busAddress: "unix:path=\(directory)/bus")
      let answer = Task { try await patient.chooseDirectory(panel) }
      answer.cancel()
      await #expect(throws: CancellationError.self) { try await answer.value }
      withExtendedLifetime(listener) {}
    }
  }

  @Test("A portal or a bus that ends while the dialog is open is an error") func end()
    async throws
  {
    await #expect(throws: DirectoryChooserError.ended) { try await choose(answer: .end) }
    try await withTemporaryDirectory { directory in
      let bus = try PrivateBus(in: directory)
      let portal = FakePortal(address: bus.address, answer: .none)
      let chooser = PortalDirectoryChooser(busAddress: bus.address)
      let answer = Task { try await chooser.chooseDirectory(panel) }
      while portal.call("OpenFile") == nil { try await Task.sleep(for: .milliseconds(5)) }
      bus.stop()
      await #expect(throws: DirectoryChooserError.ended) { try await answer.value }
    }
  }

  @Test("Canceling the task closes the dialog") func cancellation() async throws {
    try await withTemporaryDirectory { directory in
      let bus = try PrivateBus(in: directory)
      let portal = FakePortal(address: bus.address, answer: .none)
      defer { portal.stop() }
      let chooser = PortalDirectoryChooser(busAddress: bus.address)
      let answer = Task { try await chooser.chooseDirectory(panel) }
      while portal.call("OpenFile") == nil { try await Task.sleep(for: .milliseconds(5)) }
      answer.cancel()
      await #expect(throws: CancellationError.self) { try await answer.value }
      while portal.call("Close") == nil { try await Task.sleep(for: .milliseconds(5)) }
    }
  }
}
#endif
