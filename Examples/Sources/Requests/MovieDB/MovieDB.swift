import KeepsakeConfiguration
import KeepsakeSecrets

/// The Movie Database, as the source text uses it.
enum MovieDB {
  /// What the app uses, once it has started.
  @MainActor static var api = RequestClient(transport: URLSessionTransport())

  /// What sends its requests.
  ///
  /// - Parameters:
  ///   - configuration: Has the address under `MovieDB.BaseURL`, which may change while the app runs.
  ///   - secrets: Has the user's tokens under `moviedb`.
  ///   - refresh: Asks for new tokens.
  static func client(
    configuration: EnvironmentConfiguration, secrets: SecretStore,
    transport: some Transport = URLSessionTransport(),
    log: @escaping @Sendable (String) -> Void,
    refresh:
      @escaping @Sendable (BearerTokenAdapter.Tokens) async throws -> BearerTokenAdapter.Tokens
  ) -> RequestClient {
    RequestClient(
      adapters: [
        BaseURLAdapter(configuration, key: "MovieDB.BaseURL"),
        BearerTokenAdapter(
          secrets, name: "moviedb",
          for: { try BaseURLAdapter.origin(in: configuration, key: "MovieDB.BaseURL") },
          refresh: refresh),
        LoggingAdapter(log),
      ], transport: transport)
  }
}

extension Request where Response == Page<Movie> {
  private struct Popular: Encodable {
    let page: Int
    let language: String?
  }

  /// The films that are popular now.
  static func popularMovies(page: Int = 1, language: String? = nil) -> Self {
    Request(path: "movie/popular", query: Popular(page: page, language: language))
  }
}

extension Request where Response == Movie {
  /// One film.
  static func movie(_ id: Movie.ID) -> Self { Request(path: "movie/\(id)") }
}

extension CallbackRequest where Response == Page<Movie> {
  /// The films that are popular now.
  static func popularMovies(
    _ completion: @escaping @MainActor @Sendable (Result<Page<Movie>, any Error>) -> Void
  ) -> Self {
    CallbackRequest(.popularMovies(), completion: completion)
  }
}
