import Foundation
import KeepsakeLoopback

extension DroppedFiles {
  /// Receives a part of a drop: first the list of all entries, then each file, then the end.
  @MainActor
  func answer(
    _ request: Loopback.Request, _ action: @MainActor ([URL], CGPoint) -> Bool
  ) async -> Loopback.Response {
    let target = Target(
      session: request.value(of: "session") ?? "", element: request.value(of: "element") ?? "")
    let id = request.value(of: "drop") ?? ""
    do throws(DropError) {
      switch request.value(of: "step") {
      case "begin":
        if request.body.count > limits.manifestSize {
          throw .tooManyEntries(limit: limits.entries)
        }
        let manifest: DropManifest
        do {
          manifest = try JSONDecoder().decode(DropManifest.self, from: Data(request.body))
        } catch {
          throw .unreadable
        }
        return Loopback.Response(
          Array(try await begin(manifest, for: target).utf8), type: "text/plain")
      case "file":
        guard let first = request.value(of: "file").flatMap({ Int($0) }),
          let count = Int(request.value(of: "count") ?? "1")
        else { throw .unexpectedFile }
        try await receive(request.body, first: first, count: count, of: id, for: target)
      case "end":
        let drop = try await finish(id, for: target)
        if !action(drop.urls, drop.location) { await discard(id) }
      default:
        await cancel(id, for: target)
      }
      return Loopback.Response(status: 204)
    } catch {
      await cancel(id, for: target)
      var response = Loopback.Response(
        Array(error.description.utf8), type: "text/plain; charset=utf-8")
      response.status = error.status
      return response
    }
  }
}
