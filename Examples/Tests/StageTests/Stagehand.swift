import SystemPackage
import Testing

@testable import KeepsakeLoopback
@testable import Stage

/// Plays an app in windows without a browser, on a disk of its own.
@MainActor
final class Stagehand {
  let container: AppContainer
  let settings: SettingsStore
  let sessions: SceneSessions

  /// The directory of all disks of this run, removed at its end.
  nonisolated private static let disks: FilePath = {
    let disks = FilePath(NSTemporaryDirectory()).appending("stage-tests-\(getpid())")
    atexit { try? FileManager.default.removeItem(atPath: Stagehand.disks.string) }
    return disks
  }()

  /// Begins on an empty disk, or on what another run has left.
  init(after previous: Stagehand? = nil) throws {
    let root = Self.disks.appending(UUID().uuidString)
    container =
      previous?.container ?? AppContainer(root: root, identifier: "com.example.Tests")
    settings = try SettingsStore(container: container)
    sessions = try SceneSessions(container: container)
  }

  /// Opens a window on a view; a session is given to show one of the last run again.
  func open(_ content: @autoclosure () -> some View, session: SceneSession? = nil) throws -> Window
  {
    let session = try session ?? sessions.session()
    return SettingsStore.withStandard(settings) {
      let renderer = SceneSession.$current.withValue(session) {
        SceneRenderer(session: session, content: content())
      }
      return Window(renderer: renderer, settings: settings)
    }
  }

  /// Does something as the app would, outside any window.
  func perform<Result>(_ body: () throws -> Result) rethrows -> Result {
    try SettingsStore.withStandard(settings, body)
  }

  subscript(key: String) -> String? {
    get { settings[SettingsKey<String?>(key)] }
    set { settings[SettingsKey<String?>(key)] = newValue }
  }

  /// One window, as a person sees and uses it.
  @MainActor
  final class Window {
    let renderer: SceneRenderer
    private let settings: SettingsStore
    private(set) var updates: [(patches: [Patch], animation: Animation?)] = []

    fileprivate init(renderer: SceneRenderer, settings: SettingsStore) {
      self.renderer = renderer
      self.settings = settings
      renderer.onUpdate = { [weak self] in self?.updates.append(($0, $1)) }
    }

    /// All texts, in reading order.
    var texts: [String] {
      renderer.flush()
      return renderer.elements.flatMap { $0.all.compactMap(\.text) }
    }

    /// How many of the five symbols of a rating are lit.
    var rating: Int {
      symbols.filter { $0.style["color"] == Color.red.css }.count
    }

    /// The rating as it was last drawn, without drawing again.
    var drawnRating: Int {
      renderer.elements.flatMap(\.all).filter { $0.style["color"] == Color.red.css }.count
    }

    var symbols: [PageElement] { all { $0.attributes["class"] == "image" } }

    func all(where fits: (PageElement) -> Bool) -> [PageElement] {
      renderer.flush()
      let elements = renderer.elements.flatMap(\.all)
      #expect(Set(elements.map(\.id)).count == elements.count, "Each element has its own identity.")
      return elements.filter(fits)
    }

    /// Taps what has the label, or the text.
    func tap(_ label: String) throws {
      let target = try #require(
        all { $0.isButton && ($0.attributes["aria-label"] == label || $0.says(label)) }.first)
      tap(target)
    }

    func tap(_ element: PageElement) {
      send(.tap, to: element)
    }

    func send(
      _ kind: Event.Kind, to element: PageElement, value: String? = nil, numbers: [Double] = [],
      isFirst: Bool = false
    ) {
      let event = Event(kind, of: element.id, value: value, numbers: numbers, isFirst: isFirst)
      SettingsStore.withStandard(settings) { renderer.perform(event) }
    }

    /// Sends what the user has chosen, as the page does.
    func upload(
      _ bytes: [UInt8], _ query: String = "", id: UUID = UUID(), to element: PageElement
    ) async throws {
      let line = "POST /upload?upload=\(id)&\(query) HTTP/1.1"
      var request = try #require(Loopback.Request(line: line))
      request.body = bytes
      let receive = try #require(element.receive)
      let response = await SceneSession.$current.withValue(renderer.session) {
        await SettingsStore.withStandard(settings) { await receive(request) }
      }
      #expect(response.status == 204)
      renderer.flush()
    }

    func enter(_ phase: ScenePhase) {
      SettingsStore.withStandard(settings) { renderer.enter(phase) }
    }

    func close() {
      SettingsStore.withStandard(settings) { renderer.close() }
    }
  }
}

extension Event {
  init(
    _ kind: Kind, of id: String, value: String? = nil, numbers: [Double] = [], isFirst: Bool = false
  ) {
    self.init(kind, of: id)
    (self.value, self.numbers, self.isFirst) = (value, numbers, isFirst)
  }
}

extension PageElement {
  var all: [PageElement] { [self] + children.flatMap(\.all) }

  var isButton: Bool { element.action(for: .tap) != nil }

  func says(_ text: String) -> Bool { all.contains { $0.text == text } }
}

/// Waits for what happens by itself.
@MainActor
func eventually(
  sourceLocation: SourceLocation = #_sourceLocation, _ isTrue: () throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + .seconds(100)
  while try !isTrue(), .now < deadline { try await Task.sleep(for: .milliseconds(5)) }
  #expect(try isTrue(), sourceLocation: sourceLocation)
}
