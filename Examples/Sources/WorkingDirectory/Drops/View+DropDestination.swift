import Foundation
import Stage

extension View {
  /// Does something with the files and directories that the user drops on the view.
  ///
  /// A browser does not tell where they are, so the app receives copies, which are its own
  /// (``Keepsake/AppContainer/droppedFiles``). The links in a directory are left out.
  ///
  /// - Parameters:
  ///   - payloadType: `URL`.
  ///   - drops: Receives the copies.
  ///   - action: Receives what was dropped itself, not what is in it, and where. If it returns `false`,
  ///     the copies are removed.
  func dropDestination(
    for payloadType: URL.Type = URL.self, drops: DroppedFiles = .main,
    action: @escaping @MainActor ([URL], CGPoint) -> Bool
  ) -> some View {
    modified(DropModifier(drops: drops, action: action))
  }
}

private struct DropModifier: PrimitiveModifier {
  let drops: DroppedFiles
  let action: @MainActor ([URL], CGPoint) -> Bool

  /// What a window has begun to send and not finished goes with its views.
  private final class Drop: Slot {
    var cancel: () -> Void = {}

    func remove() { cancel() }
  }

  func resolve(_ content: some View, in scope: Scope) -> [Output] {
    let session = scope.owner.renderer.session.id
    scope.slot { Drop() }.cancel = { [drops] in Task { await drops.cancel(session: session) } }
    var element = Element(
      attributes: ["data-drop": "folders", "data-limits": drops.limits.attribute], layout: .merge)
    element.receive = { [drops, action] in await drops.answer($0, action) }
    return Decoration(element).resolve(content, in: scope)
  }
}
