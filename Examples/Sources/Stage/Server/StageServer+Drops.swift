import Foundation
import KeepsakeLoopback

extension StageServer {
  /// The greatest length of the body of an upload: an image, or a part of a drop.
  nonisolated static func uploadLimit(_ request: Loopback.Request, _ limits: DropLimits) -> Int {
    switch request.value(of: "step") {
    case nil: request.value(of: "kind") == "file" ? Upload.fileLimit : Upload.limit
    case "begin": limits.manifestSize
    case "file": limits.fileSize
    default: 0
    }
  }

  /// Receives a part of a drop: first the list of all entries, then each file, then the end.
  static func receiveDrop(_ request: Loopback.Request, _ host: WindowHost) async
    -> Loopback.Response
  {
    let target = DroppedFiles.Target(
      session: request.value(of: "session") ?? "", element: request.value(of: "element") ?? "")
    let id = request.value(of: "drop") ?? ""
    do throws(DropError) {
      guard host.acceptsDrop(target) else { throw .unknown }
      switch request.value(of: "step") {
      case "begin":
        let manifest: DropManifest
        do {
          manifest = try JSONDecoder().decode(DropManifest.self, from: Data(request.body))
        } catch {
          throw .unreadable
        }
        return Loopback.Response(
          Array(try await host.drops.begin(manifest, for: target).utf8), type: "text/plain")
      case "file":
        guard let first = request.value(of: "file").flatMap({ Int($0) }),
          let count = Int(request.value(of: "count") ?? "1")
        else { throw .unexpectedFile }
        try await host.drops.receive(
          request.body, first: first, count: count, of: id, for: target)
      case "end":
        let drop = try await host.drops.finish(id, for: target)
        if !host.receive(drop.urls, at: drop.location, for: target) {
          await host.drops.discard(id)
        }
      default:
        await host.drops.cancel(id, for: target)
      }
      return Loopback.Response(status: 204)
    } catch {
      await host.drops.cancel(id, for: target)
      var response = Loopback.Response(
        Array(error.description.utf8), type: "text/plain; charset=utf-8")
      response.status = error.status
      return response
    }
  }
}
