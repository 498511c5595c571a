#if Identity
import Foundation
import KeepsakeFiles
import KeepsakeIdentity
import KeepsakeTestSupport
import KeepsakeTesting
import Testing

@Suite(
  "P1, P2: a sign-in on a disk that is cut",
  .enabled(if: TestLength.isAtLeast(.standard), "explores every cut"))
struct IdentityDurabilityTests {
  struct Broken: Error, CustomStringConvertible {
    let description: String
  }

  /// A disk with an issued nonce, and a token with it.
  struct Start: Sendable {
    let disk = SimulatedDisk()
    let clock = TestClock()
    let source = KeySetSource(TestKeys.keySet(TestKeys.json()))
    let nonce: SignInNonce
    let token: String

    init() throws {
      let server = TestServer(source: source, disk: disk, clock: clock)
      nonce = try server.verifier.issueNonce()
      token = server.token(nonce).signed()
    }

    func server(on disk: SimulatedDisk) -> TestServer {
      TestServer(source: source, disk: disk, clock: clock)
    }

    func run(_ disk: SimulatedDisk) async throws {
      _ = try await server(on: disk).verifier.verify(
        token, nonce: nonce.value, profile: ProfileTests.profile)
      disk.mark("verified")
    }

    /// Either the nonce is used and the profile is kept, or neither.
    func check(_ disk: SimulatedDisk, isVerified: Bool) async throws {
      let server = server(on: disk)
      let profile = try? server.verifier.profiles.profile(of: server.subject)
      if isVerified, profile == nil { throw Broken(description: "the profile is lost") }
      do {
        _ = try await server.verifier.verify(token, nonce: nonce.value)
        if isVerified { throw Broken(description: "the token was accepted again") }
        if profile != nil { throw Broken(description: "the nonce is unused beside its profile") }
      } catch let error as IdentityError {
        guard error.code == .usedNonce else { throw error }
        if profile != ProfileTests.profile { throw Broken(description: "the profile is lost") }
      }
    }
  }

  @Test(
    "uses its nonce and keeps the profile, or neither",
    arguments: [SimulatedDisk.Model.posix, .journaled])
  func cuts(_ model: SimulatedDisk.Model) async throws {
    let start = try Start()
    let report = try await CutExplorer(model: model).run(from: start.disk) { disk in
      try await start.run(disk)
    } check: { disk, cut in
      try await start.check(disk, isVerified: cut.marks.contains("verified"))
    }
    print("identity: \(report.states) disk states (\(model))")
    #expect(report.states > 2)
  }

  @Test("needs each of its flushes") func flushes() async throws {
    let start = try Start()
    let results = try await FlushExplorer(CutExplorer(model: .posix)).run(from: start.disk) {
      files, disk in
      let verifier = IdentityVerifier(
        provider: start.server(on: disk).provider, audiences: [TestServer.audience],
        secrets: TestServer.secrets(on: files), now: { start.clock.now },
        fetchingKeySetWith: start.source.fetch)
      _ = try await verifier.verify(
        start.token, nonce: start.nonce.value, profile: ProfileTests.profile)
      disk.mark("verified")
    } check: { disk, cut in
      try await start.check(disk, isVerified: cut.marks.contains("verified"))
    }
    #expect(!results.isEmpty)
    for result in results { #expect(result.isNeeded, "\(result.flush)") }
  }

  @Test("that fails loses nothing") func failures() async throws {
    let start = try Start()
    let runs = try await FailureExplorer().run(from: start.disk) { disk in
      try await start.run(disk)
    } check: { disk, point in
      if let error = point.error as? IdentityError, error.code != .storeUnavailable { throw error }
      try await start.check(disk, isVerified: point.marks.contains("verified"))
    }
    print("identity: \(runs) failures")
    #expect(runs > 5)
  }
}
#endif
