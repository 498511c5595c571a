#if Console
import FlyingFox
import FlyingSocks
import KeepsakeBase
import KeepsakeCoding
public import KeepsakeConfiguration
public import KeepsakeFiles
public import KeepsakeScenes
public import KeepsakeSettings

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A page that shows what an app keeps, as it changes, and lets it be changed.
///
/// ```swift
/// let console = Console.start()      // with KEEPSAKE_CONSOLE=1 in the environment; otherwise nothing
/// ```
///
/// It is served on the loopback address of this machine alone, to pages of this very address that
/// know the token in the address that is printed. Another process can show an app's console as well:
/// `keepsake console com.example.App`.
public struct Console: Sendable {
  private let model: ConsoleModel
  private let token = ConsoleToken()

  /// A console of what an app keeps.
  ///
  /// - Parameters:
  ///   - container: The app's directories.
  ///   - settings: The app's settings, where they are open; otherwise they are opened.
  ///   - configuration: The app's configuration, if it is to be shown.
  ///   - scenes: The app's windows, where they are open; otherwise they are opened.
  /// - Throws: `SettingsError` where what is kept cannot be read.
  public init(
    container: AppContainer = .main, settings: SettingsStore? = nil,
    configuration: EnvironmentConfiguration? = nil, scenes: SceneSessions? = nil
  ) throws(SettingsError) {
    let opened =
      if let settings { settings } else { try SettingsStore(container: container, arguments: []) }
    let shown = if let scenes { scenes } else { try SceneSessions(container: container) }
    model = ConsoleModel(
      app: container.identifier, settings: opened, configuration: configuration, scenes: shown,
      documents: ConsoleDocuments(directory: container.documents))
  }

  /// Shows the running app's console if the environment asks for it, `KEEPSAKE_CONSOLE=1`, and prints
  /// its address.
  ///
  /// - Parameters:
  ///   - container: The app's directories.
  ///   - settings: The app's settings, where they are open.
  ///   - configuration: The app's configuration, if it is to be shown.
  ///   - scenes: The app's windows, where they are open.
  /// - Returns: The task that serves it, which can be cancelled; `nil` where nobody asked.
  @discardableResult
  public static func start(
    container: AppContainer = .main, settings: SettingsStore? = nil,
    configuration: EnvironmentConfiguration? = nil, scenes: SceneSessions? = nil
  ) -> Task<Void, any Error>? {
    guard ProcessInfo.processInfo.environment["KEEPSAKE_CONSOLE"] == "1" else { return nil }
    return Task {
      let console = try Console(
        container: container, settings: settings, configuration: configuration, scenes: scenes)
      try await console.run { address in print("The console is at \(address)") }
    }
  }

  /// Shows changes in the terminal as they come, and does what is typed there: `help` says what.
  ///
  /// - Parameters:
  ///   - lines: What is typed.
  ///   - write: Writes a line; it is called from several threads.
  public func runInTerminal(
    lines: some AsyncSequence<String, any Error>, write: @escaping @Sendable (String) -> Void
  ) async throws {
    let terminal = TerminalConsole(model: model, write: write)
    let watching = Task { await terminal.watch() }
    defer { watching.cancel() }
    for try await line in lines { terminal.perform(line) }
  }

  /// Serves the page until the task is cancelled.
  ///
  /// - Parameters:
  ///   - port: The port; a free one by default.
  ///   - started: Called with the page's address, which holds the token, once it can be loaded.
  /// - Throws: Where the port is taken.
  public func run(
    on port: UInt16 = 0, started: @escaping @Sendable (_ address: String) -> Void
  ) async throws {
    let handler = ConsoleRequestHandler(model: model, token: token)
    let server = HTTPServer(
      // The loopback address itself: no other machine can reach it.
      address: try .inet(ip4: "127.0.0.1", port: port), logger: .disabled, handler: handler)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await server.run() }
      try await server.waitUntilListening()
      guard case .ip4(_, let port)? = await server.listeningAddress else { return }
      handler.authorities.withLock { $0 = ["127.0.0.1:\(port)", "localhost:\(port)"] }
      started("http://127.0.0.1:\(port)/#\(token.string)")
      try await group.waitForAll()
    }
  }
}
#endif
