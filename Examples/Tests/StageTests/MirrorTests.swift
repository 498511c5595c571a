import Foundation
import Testing

@testable import Cards
@testable import SideMirror
@testable import Stage

@Suite("A window that mirrors another") @MainActor struct MirrorTests {
  let stagehand: Stagehand
  let host: WindowHost

  init() throws {
    stagehand = try Stagehand()
    host = WindowHost(
      sessions: stagehand.sessions, closingGrace: .milliseconds(50), ownersFirst: .zero,
      content: SideMirror.ContentView())
  }

  /// Opens two windows, and mirrors the first in the second.
  func mirroring(
    _ body: (_ slide: WindowHost.WindowConnection, _ mirror: WindowHost.WindowConnection)
      async throws -> Void
  ) async throws {
    try await SettingsStore.withStandard(stagehand.settings) {
      let slide = try await host.connect(sessionID: nil, phase: .active) { _ in }
      let mirror = try await host.connect(sessionID: nil, phase: .active) { _ in }
      slide.receive(.size(CGSize(width: 800, height: 600)))
      mirror.receive(.size(CGSize(width: 2000, height: 2000)))
      try tap("Mirror", in: mirror)
      try tap("Untitled", in: mirror)
      try tap("Start", in: mirror)
      try await body(slide, mirror)
    }
  }

  func all(_ window: WindowHost.WindowConnection) -> [PageElement] {
    window.window.renderer.flush()
    let elements = window.window.renderer.elements.flatMap(\.all)
    #expect(Set(elements.map(\.id)).count == elements.count)
    return elements
  }

  func frame(_ window: WindowHost.WindowConnection) -> PageElement? {
    all(window).first { $0.attributes["class"] == "mirror" }
  }

  /// Taps the last element that says a text: one in the mirror comes after those around it.
  func tap(_ text: String, in window: WindowHost.WindowConnection) throws {
    let target = try #require(all(window).last { $0.isButton && $0.says(text) }, "\(text)")
    window.receive(.event(Event(.tap, of: target.id)))
  }

  @Test("shows what it shows, and follows it") func following() async throws {
    try await mirroring { slide, mirror in
      #expect(try #require(frame(mirror)).says("Hands up: 0"))
      try tap("Raise", in: slide)
      #expect(try #require(frame(mirror)).says("Hands up: 1"))
      let ids = Set(all(mirror).map(\.id))
      let labels = try #require(frame(mirror)).all.compactMap { $0.attributes["aria-labelledby"] }
      #expect(
        !labels.isEmpty
          && labels.allSatisfy { $0.hasPrefix("n") && $0.contains("-") && ids.contains($0) })
    }
  }

  /// A view with what is a window's own, or a mirror of the window that has it.
  private struct OneOfTwo: View {
    @Environment(\.sceneID) private var id
    @Environment(\.openScenes) private var openScenes

    var body: some View {
      if let first = openScenes.scenes.first, first.id != id {
        SceneMirror(first.id)
      } else {
        Button("Done") {}.navigatesBack()
        LazyVGrid(columns: .adaptive(minimum: 40)) { ForEach(0..<40) { Text("\($0)") } }
        Board(size: CGSize(width: 10, height: 10), color: .red) {}.drawn(version: "1") { _ in }
      }
    }
  }

  @Test("has no part in Back, in scrolling and in pictures of the other window")
  func ownOfTheWindow() async throws {
    let content = WindowGroup { OneOfTwo() }.windowContent
    let host = WindowHost(
      sessions: try Stagehand().sessions, ownersFirst: .zero, content: content)
    let own: Set = ["data-back", "data-count", "data-draw"]
    func names(_ window: WindowHost.WindowConnection) -> Set<String> {
      own.filter { name in all(window).contains { $0.attributes[name] != nil } }
    }
    let first = try await host.connect(sessionID: nil, phase: .active) { _ in }
    let second = try await host.connect(sessionID: nil, phase: .active) { _ in }
    #expect(names(first) == own)
    #expect(frame(second) != nil && names(second).isEmpty)
  }

  @Test("passes taps and texts on to it, in whose scene they act") func acting() async throws {
    try await mirroring { slide, mirror in
      try tap("Raise", in: mirror)
      #expect(all(slide).contains { $0.text == "Hands up: 1" })
      #expect(try #require(frame(mirror)).says("Hands up: 1"))
      let field = try #require(frame(mirror)?.all.first { $0.tag == "input" })
      mirror.receive(.event(Event(.input, of: field.id, value: "Welcome")))
      #expect(host.openScenes.scenes.map(\.title) == ["Welcome", "Untitled"])
      #expect(all(slide).contains { $0.attributes["value"] == "Welcome" })
      #expect(all(mirror).filter { $0.isButton && $0.says("Welcome") }.count == 1)
    }
  }

  @Test("has the size that was chosen, or the largest that fits") func scales() async throws {
    try await mirroring { slide, mirror in
      #expect(frame(mirror)?.style["width"] == "400px")
      try tap("100 %", in: mirror)
      #expect(frame(mirror)?.style["width"] == "800px")
      mirror.receive(.size(CGSize(width: 464, height: 2000)))
      #expect(frame(mirror)?.attributes["data-scale"] == "0.5")
      #expect(frame(mirror)?.style["width"] == "400px")
      slide.receive(.size(CGSize(width: 1600, height: 600)))
      #expect(frame(mirror)?.style["width"] == "400px")
    }
  }

  @Test("hints where the pointer is, in the color that was chosen") func hint() async throws {
    try await mirroring { slide, mirror in
      #expect(frame(mirror)?.style["outline-color"] == nil)
      slide.receive(.pointer(isInside: true))
      #expect(frame(mirror)?.style["outline-color"] == Color(hex: "#f2b705")?.css)
      let picker = try #require(all(mirror).first { $0.attributes["type"] == "color" })
      mirror.receive(.event(Event(.input, of: picker.id, value: "#00ff00")))
      #expect(frame(mirror)?.style["outline-color"] == Color(hex: "#00ff00")?.css)
      slide.receive(.pointer(isInside: false))
      #expect(frame(mirror)?.style["outline-color"] == nil)
    }
  }

  @Test("stops when the other has ended, whose name is then gone", .timeLimit(.minutes(10)))
  func end() async throws {
    try await mirroring { slide, mirror in
      slide.receive(.leaving)
      slide.close()
      while host.openScenes.scenes.count > 1 { try await Task.sleep(for: .milliseconds(10)) }
      #expect(frame(mirror) == nil)
      #expect(host.openScenes.scenes.count == 1)
      let start = try #require(all(mirror).last { $0.isButton && $0.says("Start") })
      #expect(start.attributes["disabled"] != nil)
    }
  }

  @Test("may be mirrored by it: a mirror in a mirror is empty") func eachOther() async throws {
    try await mirroring { slide, mirror in
      try tap("Mirror", in: slide)
      try tap("Untitled", in: slide)
      try tap("Start", in: slide)
      #expect(all(mirror).filter { $0.attributes["class"] == "mirror" }.count == 2)
      #expect(all(slide).filter { $0.attributes["class"] == "mirror" }.count == 2)
    }
  }
}
