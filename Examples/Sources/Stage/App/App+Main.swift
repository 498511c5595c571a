import Foundation
import Keepsake
import KeepsakeConsole
import KeepsakeLoopback
import SystemPackage

extension App {
  /// Starts the app and serves its windows until the process ends.
  ///
  /// Where the app shows the same data already, it only says at which address.
  ///
  /// `--port N` chooses the port, which otherwise is the first free one from 8080 upward;
  /// `--root DIR` keeps all of the app's data under one directory; `--config FILE` is read in place of
  /// the app's own `config.plist`, and `--config-environment NAME` says which section counts.
  @MainActor
  public static func main() async {
    printLinesAtOnce()
    endInOrder()
    do {
      let options = try LaunchOptions(CommandLine.arguments.dropFirst())
      let container =
        options.root.map { AppContainer(root: FilePath($0), identifier: identifier) }
        ?? AppContainer(identifier: identifier)
      AppContainer.main = container
      let token = try Loopback.Token(
        savedAt: container.savedState.appending("window-access-token"))
      func address(_ port: UInt16) -> String { "http://127.0.0.1:\(port)/#\(token.string)" }
      let process = try RunningApp(in: container)
      if let port = try await process.begin() {
        print("\(name) is already running at \(address(port))")
        return
      }
      let sessions = try SceneSessions(container: container)
      let app = Self()
      Console.start(
        container: container, settings: .standard, configuration: app.configuration,
        scenes: sessions)
      let host = WindowHost(sessions: sessions, content: app.body.windowContent)
      let server = StageServer(host: host, token: token, title: name, files: pageFiles)
      try await server.run(on: options.ports) { port in
        do {
          try process.publish(port)
        } catch {
          print("Another start of \(name) will not find this one: \(error)")
        }
        print("\(name) is running at \(address(port))")
        print(
          "Settings are kept in \(container.preferencesFile()), documents in "
            + "\(container.documents), scenes in \(container.savedState)")
      }
    } catch {
      FileHandle.standardError.write(Data("\(name) cannot run: \(error)\n".utf8))
      exit(1)
    }
  }
}
