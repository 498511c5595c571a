public import Foundation

extension View {
  /// Does something with the files and directories that the user drops on the view.
  ///
  /// A browser does not tell where they are, so the app receives copies, which are its own
  /// (``Keepsake/AppContainer/droppedFiles``). The links in a directory are left out.
  ///
  /// - Parameters:
  ///   - payloadType: `URL`.
  ///   - action: Receives what was dropped itself, not what is in it, and where. If it returns `false`,
  ///     the copies are removed.
  public func dropDestination(
    for payloadType: URL.Type = URL.self,
    action: @escaping @MainActor ([URL], CGPoint) -> Bool
  ) -> some View {
    var element = Element(attributes: ["data-drop": DropLimits().attribute], layout: .merge)
    element.handlers.drop = action
    return modified(Decoration(element: element))
  }
}
