import Foundation
import Keepsake
import KeepsakeIdentity
import KeepsakeLoopback
import KeepsakeSecrets
import SystemPackage

/// Sign in with a provider of this machine: what is stored, what comes once, and what is refused.
///
/// `--port N` chooses the port, which otherwise is the first free one from 8080 upward; `--root DIR`
/// keeps all of the app's data under one directory.
@main struct SignInApp {
  static func main() async throws {
    let arguments = CommandLine.arguments
    func value(of option: String) -> String? {
      arguments.firstIndex(of: option).flatMap { index in
        arguments.indices.contains(index + 1) ? arguments[index + 1] : nil
      }
    }
    func container(_ identifier: String) -> AppContainer {
      value(of: "--root").map { AppContainer(root: FilePath($0), identifier: identifier) }
        ?? AppContainer(identifier: identifier)
    }
    let app = container("com.example.SignIn")
    let secrets = SecretStore(
      container: app, key: .keyFile(app.applicationSupport.appending("secrets.key")))
    let provider = LocalProvider(
      state: try SettingsStore(container: container("com.example.Provider")))
    let token = try Loopback.Token(savedAt: app.savedState.appending("window-access-token"))
    let ports = value(of: "--port").flatMap { UInt16($0) }.map { $0...$0 } ?? 8080...8179
    let server = SignInServer(provider: provider, secrets: secrets)
    try await server.run(on: ports, token: token) { port in
      print("SignIn is running at http://127.0.0.1:\(port)/#\(token.string)")
      // A pipe otherwise receives it only when the program ends.
      fflush(nil)
    }
  }
}
