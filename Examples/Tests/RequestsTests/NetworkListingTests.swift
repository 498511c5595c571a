import Foundation
import HTTPTypes
import Keepsake
import KeepsakeConfiguration
import KeepsakeSecrets
import Testing

@testable import Requests

/// Listings B03 to B07.
@Suite("The source texts' requests") struct NetworkListingTests {
  static let berlin = Location(latitude: 52.52, longitude: 13.4)

  /// A server of the weather, and of its pictures at another address.
  func weather(_ pictureStatus: HTTPResponse.Status = .ok) -> (Weather, FakeServer) {
    let server = FakeServer { request in
      if request.address == "https://weather.example/weather?latitude=52.52&longitude=13.4" {
        return IncomingResponse(
          .ok,
          Array(
            #"{"summary":"sun","temperature":21.5,"image_url":"https://pictures.example/sun.png"}"#
              .utf8))
      }
      return request.address == "https://pictures.example/sun.png"
        ? IncomingResponse(pictureStatus, [1, 2, 3]) : IncomingResponse(.notFound)
    }
    let client = RequestClient(adapters: [FixedHost(name: "weather.example")], transport: server)
    return (Weather(location: FixedLocation(Self.berlin), client: client), server)
  }

  @Test("B03, B04: the location, the weather there and its picture, by callbacks")
  func callbacks() async throws {
    let (weather, server) = weather()
    let image = try await withCheckedThrowingContinuation { continuation in
      weather.getCurrentImage { continuation.resume(with: $0) }
    }
    #expect(image == [1, 2, 3])
    #expect(server.requests.count == 2)
  }

  @Test("B04: an error of any step reaches the last callback") func failedCallbacks() async throws {
    struct NoReceiver: LocationProvider, Error {
      func userLocation() async throws -> Location { throw self }
    }
    let (weather, server) = weather(.notFound)
    await #expect(throws: RequestError.self) {
      try await withCheckedThrowingContinuation { continuation in
        weather.getCurrentImage { continuation.resume(with: $0) }
      }
    }
    let closed = FakeServer { _ in IncomingResponse(.notFound) }
    let unknown = Weather(
      location: FixedLocation(Self.berlin),
      client: RequestClient(adapters: [FixedHost(name: "weather.example")], transport: closed))
    await #expect(throws: RequestError.self) {
      try await withCheckedThrowingContinuation { continuation in
        unknown.getCurrentImage { continuation.resume(with: $0) }
      }
    }
    #expect(closed.requests.count == 1)
    let lost = Weather(location: NoReceiver(), client: RequestClient(transport: server))
    await #expect(throws: NoReceiver.self) {
      try await withCheckedThrowingContinuation { continuation in
        lost.getCurrentImage { continuation.resume(with: $0) }
      }
    }
  }

  @Test("B05, B06: the same, from top to bottom") func asynchronous() async throws {
    let (weather, _) = weather()
    let location = try await weather.userLocation()
    let conditions = try await weather.weatherConditions(for: location)
    let imageData = try await weather.image(from: conditions.imageURL)
    #expect(location == Self.berlin)
    #expect(conditions.summary == "sun")
    #expect(conditions.temperature == 21.5)
    #expect(imageData == [1, 2, 3])
    #expect(try await weather.currentImage() == imageData)
    let (other, _) = self.weather(.internalServerError)
    await #expect(throws: RequestError.self) { try await other.currentImage() }
  }

  @Test("B07: popular films, by a request with a closure") @MainActor func movies() async throws {
    let configuration = try EnvironmentConfiguration(
      dictionary: ["MovieDB": ["BaseURL": "https://api.themoviedb.org/3"]])
    let secrets = SecretStore.inMemory()
    try secrets.set(BearerTokenAdapter.Tokens(access: "a", refresh: "r"), for: "moviedb")
    let server = FakeServer { request in
      request.token == "Bearer a"
        && request.address == "https://api.themoviedb.org/3/movie/popular?page=1"
        ? IncomingResponse(
          .ok,
          Array(
            """
            {"page":1,"total_pages":9,"results":
              [{"id":1,"title":"Up","poster_path":null,"vote_average":8.3}]}
            """.utf8)) : IncomingResponse(.notFound)
    }
    let lines = Box<[String]>([])
    MovieDB.api = MovieDB.client(
      configuration: configuration, secrets: secrets, transport: server,
      log: { line in lines.change { $0.append(line) } }, refresh: { $0 })

    @MainActor final class Model {
      var movies: [Movie] = []
      let loaded = AsyncStream<Void>.makeStream()

      func load() {
        MovieDB.api.send(
          request: .popularMovies({ result in
            switch result {
            case .success(let page):
              self.movies = page.results
            case .failure(let error):
              print("Error: \(error)")
            }
            self.loaded.continuation.finish()
          }))
      }
    }
    let model = Model()
    model.load()
    for await _ in model.loaded.stream {}
    #expect(model.movies.map(\.title) == ["Up"])
    #expect(lines.value.count == 1)
    #expect(lines.value.first?.contains("Authorization=•••") == true)
  }

  @Test("B07: an error reaches the closure of a request") func failedMovies() async throws {
    let api = RequestClient(transport: FakeServer { _ in IncomingResponse(.notFound) })
    await #expect(throws: RequestError.self) {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Page<Movie>, any Error>) in
        api.send(request: .popularMovies({ continuation.resume(with: $0) }))
      }
    }
  }
}
