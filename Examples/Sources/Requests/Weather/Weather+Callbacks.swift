import Foundation

/// The same with callbacks: every step must not forget to report its error.
extension Weather {
  func getLocation(
    completion: @escaping @Sendable (Result<Location, any Error>) -> Void
  ) {
    call(completion) { try await userLocation() }
  }

  func getWeather(
    for location: Location,
    completion: @escaping @Sendable (Result<WeatherConditions, any Error>) -> Void
  ) {
    call(completion) { try await weatherConditions(for: location) }
  }

  func getImage(
    from url: URL, completion: @escaping @Sendable (Result<[UInt8], any Error>) -> Void
  ) {
    call(completion) { try await image(from: url) }
  }

  func getCurrentImage(
    completion: @escaping @Sendable (Result<[UInt8], any Error>) -> Void
  ) {
    getLocation { result in
      switch result {
      case .failure(let error): completion(.failure(error))
      case .success(let location):
        getWeather(for: location) { result in
          switch result {
          case .failure(let error): completion(.failure(error))
          case .success(let conditions): getImage(from: conditions.imageURL, completion: completion)
          }
        }
      }
    }
  }

  private func call<Value: Sendable>(
    _ completion: @escaping @Sendable (Result<Value, any Error>) -> Void,
    _ body: @escaping @Sendable () async throws -> Value
  ) {
    Task {
      do { completion(.success(try await body())) } catch { completion(.failure(error)) }
    }
  }
}
