import Foundation
import HTTPTypes
import KeepsakeConfiguration

/// Sends relative requests to the address that the configuration has at that moment.
struct BaseURLAdapter: RequestAdapter {
  private let configuration: EnvironmentConfiguration
  private let key: String

  /// An adapter.
  ///
  /// - Parameter key: The configuration's key with the address, for example `BaseURL`.
  init(_ configuration: EnvironmentConfiguration, key: String) {
    self.configuration = configuration
    self.key = key
  }

  func send(
    _ request: OutgoingRequest,
    through next: @Sendable (OutgoingRequest) async throws -> IncomingResponse
  ) async throws -> IncomingResponse {
    if request.head.authority != nil { return try await next(request) }
    let base = try Self.base(in: configuration, key: key)
    var request = request
    request.head.scheme = base.scheme
    request.head.authority = base.authority
    let directory = base.path.hasSuffix("/") ? base.path : base.path + "/"
    request.head.path = directory + (request.head.path ?? "").trimmingPrefix("/")
    return try await next(request)
  }

  /// The server that the configuration names, as ``OutgoingRequest/origin``.
  ///
  /// - Throws: ``RequestError`` with `noBaseURL` if it names none.
  static func origin(
    in configuration: EnvironmentConfiguration, key: String
  ) throws(RequestError) -> String {
    let base = try base(in: configuration, key: key)
    return "\(base.scheme ?? "")://\(base.authority)"
  }

  private static func base(
    in configuration: EnvironmentConfiguration, key: String
  ) throws(RequestError) -> URL {
    let base: URL
    do throws(ConfigurationError) {
      base = try configuration.value(for: key)
    } catch {
      throw RequestError(.noBaseURL, "there is no address", cause: error)
    }
    guard let scheme = base.scheme, ["http", "https"].contains(scheme), !base.authority.isEmpty
    else {
      throw RequestError(
        .noBaseURL, "'\(key)' is not the address of a server: \(base.absoluteString)")
    }
    return base
  }
}

extension URL {
  fileprivate var authority: String {
    guard let host = host() else { return "" }
    return port.map { "\(host):\($0)" } ?? host
  }
}
