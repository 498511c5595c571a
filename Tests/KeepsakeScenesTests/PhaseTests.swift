import KeepsakeBase
import KeepsakeScenes
import Observation
import Testing

@Suite("A scene's phase") struct PhaseTests {
  @Test("is background initially, and then what the host says after") func isBackgroundInitially()
    throws
  {
    try withTheatre { theatre in
      let session = try theatre.open().session()
      #expect(session.phase == .background)
      for phase in ScenePhase.allCases {
        session.phase = phase
        #expect(session.phase == phase)
      }
      #expect(ScenePhase.background < .inactive && .inactive < ScenePhase.active)
    }
  }

  @Test("is observed, and told to the host once for each change") func isObserved() throws {
    try withTheatre { theatre in
      let host = Stagehand()
      let session = try theatre.open(host: host).session(id: "w")
      let seen = Seen()
      withObservationTracking {
        _ = session.phase
      } onChange: {
        seen.note(session.phase)
      }
      session.phase = .background
      #expect(seen.all == [] && host.takeNotes() == [])
      session.phase = .active
      #expect(seen.all == [.active] && host.takeNotes() == ["show w active"])
      session.phase = .active
      session.phase = .inactive
      session.phase = .background
      #expect(seen.all == [.active])
      #expect(host.takeNotes() == ["show w inactive", "show w background"])
    }
  }

  private final class Seen: Sendable {
    private let phases = Mutex<[ScenePhase]>([])
    var all: [ScenePhase] { phases.withLock { $0 } }
    func note(_ phase: ScenePhase) { phases.withLock { $0.append(phase) } }
  }

  @Test("of one window says nothing of another's") func ofOneWindowSaysNothingOfAnothers() throws {
    try withTheatre { theatre in
      let sessions = try theatre.open()
      let (one, two) = (try sessions.session(), try sessions.session())
      let told = Tally()
      withObservationTracking {
        _ = two.phase
      } onChange: {
        told.add()
      }
      one.phase = .active
      #expect(told.count == 0 && two.phase == .background)
    }
  }

  @Test("can change while the host is gone") func canChangeWhileTheHostIsGone() throws {
    try withTheatre { theatre in
      var host: Stagehand? = Stagehand()
      weak let gone = host
      let sessions = try theatre.open(host: host)
      let session = try sessions.session()
      host = nil
      #expect(gone == nil, "sessions do not keep their host")
      session.phase = .active
      try sessions.discard(session)
    }
  }
}
