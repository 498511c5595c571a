#if Console
public import KeepsakeConfiguration
public import KeepsakeFiles
import KeepsakeLoopback
public import KeepsakeScenes
public import KeepsakeSettings
import SystemPackage

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
  private let container: AppContainer

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
    self.container = container
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
  ///   - isWatching: Whether changes are shown. A script that reads the output wants only the answers to its
  ///     lines.
  ///   - write: Writes a line; it is called from several threads.
  public func runInTerminal(
    lines: some AsyncSequence<String, any Error>, isWatching: Bool = true,
    write: @escaping @Sendable (String) -> Void
  ) async throws {
    let terminal = TerminalConsole(model: model, write: write)
    let watching = isWatching ? Task { await terminal.watch() } : nil
    defer { watching?.cancel() }
    for try await line in lines { terminal.perform(line) }
  }

  /// Serves the page until the task is canceled.
  ///
  /// An app has the same address each time, so that a page finds it again after a restart: the token is kept with
  /// the app's state, and the port follows from the app's identifier.
  ///
  /// - Parameters:
  ///   - port: The port; by default the app's own, or the next that no other program uses.
  ///   - started: Receives the page's address, which contains the token, once it can be loaded.
  /// - Throws: `Loopback.ServerError` if the port is in use; `FileError` if the token cannot be kept.
  public func run(
    on port: UInt16? = nil, started: @escaping @Sendable (_ address: String) -> Void
  ) async throws {
    let token = try Loopback.Token(
      savedAt: container.savedState.appending("console-access-token"))
    let server = ConsoleServer(model: model, token: token)
    try await server.run(on: port.map { [$0] } ?? Self.ports(of: container.identifier)) { port in
      started("http://127.0.0.1:\(port)/#\(token.string)")
    }
  }

  /// The ports that an app tries: the same ones each time, others than most other apps.
  static func ports(of identifier: String) -> [UInt16] {
    // FNV-1a, because Swift's hashes differ in each process.
    let hash = identifier.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    let first = 20_000 + UInt16(hash % 10_000)
    return (first..<first + 20) + [0]
  }
}
#endif
