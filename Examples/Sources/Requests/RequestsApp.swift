import Foundation
import Keepsake
import KeepsakeConfiguration
import KeepsakeSecrets
import SystemPackage

/// Prints the films that are popular now.
///
/// `MOVIEDB_TOKEN` is needed once: it is kept, encrypted. `--movie-db.base-url` names another server.
@main enum RequestsApp {
  static func main() async throws {
    do {
      let key = AppContainer.main.applicationSupport.appending("secrets.key")
      let secrets = SecretStore(key: .keyFile(key))
      if let token = ProcessInfo.processInfo.environment["MOVIEDB_TOKEN"] {
        try secrets.set(BearerTokenAdapter.Tokens(access: token, refresh: ""), for: "moviedb")
      }
      let client = MovieDB.client(
        configuration: try EnvironmentConfiguration(), secrets: secrets, log: report,
        refresh: { _ in
          throw RequestError(.signInRequired, "the token is not accepted; set MOVIEDB_TOKEN")
        })
      for movie in try await client.send(.popularMovies()).results {
        print(movie.title, movie.voteAverage)
      }
    } catch {
      report("\(error)")
      exit(1)
    }
  }

  @Sendable private static func report(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
