import Foundation
import Keepsake
import KeepsakeLoopback

/// Keeps the app's scenes and knows which window shows which.
@MainActor
final class WindowHost {
  /// A scene, and the connection to the page that shows it, if one does.
  @MainActor
  final class Window {
    let session: SceneSession
    private let makeRenderer: () -> SceneRenderer
    private var madeRenderer: SceneRenderer?
    fileprivate(set) var connection: WindowConnection?
    /// Whether the page has said that it is going; it may come back, as after a reload.
    fileprivate var isLeaving = false
    /// The number of the page's last event that was performed.
    fileprivate var lastEvent = 0
    /// The uploads that were received, which a page sends again if it lost the answer.
    fileprivate var uploads: Set<String> = []
    /// What tells these views from those of another run of the app, and from those that ended when the
    /// page was lost: of what was done in others they know nothing.
    fileprivate var run = UUID().uuidString
    /// Waits for the page to come back.
    fileprivate var waiting: Task<Void, Never>?

    fileprivate init(session: SceneSession, makeRenderer: @escaping () -> SceneRenderer) {
      self.session = session
      self.makeRenderer = makeRenderer
    }

    /// What the window shows, made when it is needed.
    var renderer: SceneRenderer {
      if let madeRenderer { return madeRenderer }
      let renderer = makeRenderer()
      madeRenderer = renderer
      return renderer
    }

    /// Takes all views away; what the scene keeps stays.
    fileprivate func release() {
      madeRenderer?.close()
      madeRenderer = nil
      run = UUID().uuidString
    }
  }

  let images = ImageShelf()
  let openScenes = OpenScenes()
  private let sessions: SceneSessions
  private let content: any View
  private let closingGrace: Duration
  private let droppedGrace: Duration
  private let ownersFirstUntil: ContinuousClock.Instant
  private var windows: [String: Window] = [:]
  private var returning: Task<Void, Never>?
  /// The scenes of the last run that no window has asked for yet.
  private var restored: [SceneSession]

  /// - Parameters:
  ///   - closingGrace: How long after a page was closed its scene waits for it to come back.
  ///   - droppedGrace: How long after a page was lost its views wait for it to come back; the scene
  ///     waits for ever.
  ///   - ownersFirst: How long after the start the restored scenes wait for the pages that showed
  ///     them, before new windows are given them.
  init(
    sessions: SceneSessions, closingGrace: Duration = .seconds(10),
    droppedGrace: Duration = .seconds(30),
    ownersFirst: Duration = .seconds(2), content: some View
  ) {
    self.sessions = sessions
    self.content = content
    self.closingGrace = closingGrace
    self.droppedGrace = droppedGrace
    ownersFirstUntil = ContinuousClock.now + ownersFirst
    restored = sessions.sessions
  }

  /// Gives a page its window: the one it had, a restored one, or a new one.
  func connect(
    sessionID: String?, phase: ScenePhase, send: @escaping (AppMessage) -> Void
  ) async throws -> WindowConnection {
    let window: Window
    if let sessionID, let own = resume(sessionID) {
      window = own
    } else {
      if !restored.isEmpty { try? await Task.sleep(until: ownersFirstUntil) }
      let session = try restored.isEmpty ? sessions.session() : restored.removeFirst()
      window = open(session, phase: phase)
    }
    window.waiting?.cancel()
    window.isLeaving = false
    let connection = WindowConnection(host: self, window: window, send: send)
    window.connection = connection
    window.renderer.flush()
    send(
      .scene(
        session: window.session.id, run: window.run, elements: window.renderer.elements,
        received: window.lastEvent))
    window.renderer.onUpdate = { [weak connection] in connection?.send($0, $1) }
    window.renderer.enter(phase)
    return connection
  }

  /// The window that a page comes back to.
  ///
  /// One that another page is showing is not given: the browser has then duplicated a page.
  private func resume(_ sessionID: String) -> Window? {
    if let window = windows[sessionID] {
      return window.connection == nil || window.isLeaving ? window : nil
    }
    guard let index = restored.firstIndex(where: { $0.id == sessionID }) else { return nil }
    return open(restored.remove(at: index), phase: .inactive)
  }

  private func open(_ session: SceneSession, phase: ScenePhase) -> Window {
    session.phase = phase
    let window = Window(session: session) { [images, openScenes, content] in
      let renderer = SceneRenderer(
        session: session, images: images, openScenes: openScenes, content: content)
      openScenes.add(renderer)
      return renderer
    }
    windows[session.id] = window
    return window
  }

  /// Gives what a page sends to the element that it is for.
  func receive(_ request: Loopback.Request) async -> Loopback.Response {
    guard let window = request.value(of: "session").flatMap({ windows[$0] }) else {
      return Loopback.Response(status: 404)
    }
    let upload = request.value(of: "upload")
    if let upload, window.uploads.contains(upload) { return Loopback.Response(status: 204) }
    guard window.connection != nil, let id = request.value(of: "element"),
      let receive = window.renderer.element(id)?.receive
    else { return Loopback.Response(status: 404) }
    let renderer = window.renderer
    defer { renderer.flush() }
    let response = await SceneSession.$current.withValue(window.session) { await receive(request) }
    if let upload, response.status == 204 { window.uploads.insert(upload) }
    return response
  }

  fileprivate func receive(_ message: PageMessage, for window: Window) {
    let renderer = window.renderer
    switch message {
    case .event(let event):
      renderer.perform(event)
    case .phase(let phase):
      window.isLeaving = false
      renderer.enter(phase)
    case .size(let size):
      renderer.windowSize.value = size
    case .pointer(let isInside):
      renderer.isPointerInside.value = isInside
    case .leaving:
      window.isLeaving = true
      renderer.enter(.inactive)
    case .ping: break
    }
  }

  /// A page that is gone leaves its scene in the background; only one that said so is not awaited.
  fileprivate func disconnected(_ window: Window) {
    window.connection = nil
    window.renderer.onUpdate = nil
    window.renderer.isPointerInside.value = false
    window.renderer.enter(.background)
    window.waiting = Task { [weak self, closingGrace, droppedGrace] in
      try? await Task.sleep(for: window.isLeaving ? closingGrace : droppedGrace)
      guard !Task.isCancelled, window.connection == nil else { return }
      self?.end(window)
    }
  }

  /// Forgets a window that was closed; of one that was lost only the views end.
  private func end(_ window: Window) {
    openScenes.remove(window.session.id)
    window.release()
    // Once for all windows that end together.
    returning?.cancel()
    returning = Task {
      try? await Task.sleep(for: .seconds(1))
      if !Task.isCancelled { returnFreedMemory() }
    }
    guard window.isLeaving else { return }
    windows[window.session.id] = nil
    do {
      try sessions.discard(window.session)
    } catch {
      print("A closed window could not be forgotten: \(error)")
    }
  }

  /// One page's hold on a window, until the page is gone or another has taken it over.
  @MainActor
  final class WindowConnection {
    let window: Window
    private weak let host: WindowHost?
    private let sendToPage: (AppMessage) -> Void
    private var lastAcknowledged = 0

    fileprivate init(host: WindowHost, window: Window, send: @escaping (AppMessage) -> Void) {
      self.host = host
      self.window = window
      sendToPage = send
    }

    /// - Parameter number: The number of an event, which is performed once, however often it arrives.
    func receive(_ message: PageMessage, number: Int? = nil) {
      guard window.connection === self else { return }
      if let number {
        guard number > window.lastEvent else { return }
        window.lastEvent = number
      }
      host?.receive(message, for: window)
      if message == .ping || lastAcknowledged < window.lastEvent { acknowledge() }
    }

    fileprivate func send(_ patches: [Patch], _ animation: Animation?) {
      lastAcknowledged = window.lastEvent
      sendToPage(.update(patches: patches, animation: animation, received: lastAcknowledged))
    }

    private func acknowledge() {
      lastAcknowledged = window.lastEvent
      sendToPage(.answer(received: lastAcknowledged))
    }

    func close() {
      if window.connection === self { host?.disconnected(window) }
    }
  }
}
