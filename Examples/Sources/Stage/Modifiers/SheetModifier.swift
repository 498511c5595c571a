public import Keepsake

/// Shows a sheet over the window while a value is true.
struct SheetModifier<Sheet: View>: PrimitiveModifier {
  let isPresented: Binding<Bool>
  let onDismiss: (@MainActor () -> Void)?
  let sheet: @MainActor () -> Sheet

  private final class Presentation: Slot {
    var isPresented = false
  }

  func resolve(_ content: some View, in scope: Scope) -> [Output] {
    var outputs = scope.child(.content).resolve(content)
    let presentation = scope.slot { Presentation() }
    var sheetScope = scope.child(.sheet)
    if isPresented.wrappedValue {
      var dialog = Element(id: sheetScope.id, tag: "dialog", attributes: ["class": "sheet"])
      dialog.on(.dismiss) { [isPresented] _ in isPresented.wrappedValue = false }
      sheetScope.environment.dismiss = { [isPresented] in isPresented.wrappedValue = false }
      outputs.append(.element(dialog, sheetScope.child(.content).resolve(sheet())))
    } else if presentation.isPresented, let onDismiss {
      scope.owner.renderer.enqueue(onDismiss)
    }
    presentation.isPresented = isPresented.wrappedValue
    return outputs
  }
}

extension View {
  /// Shows a sheet over the window while a value is true; the user ends it with the escape key or a
  /// tap beside it, too, and is asked first if a text was changed in it.
  public func sheet(
    isPresented: Binding<Bool>, onDismiss: (@MainActor () -> Void)? = nil,
    @ViewBuilder content: @escaping @MainActor () -> some View
  ) -> some View {
    modified(SheetModifier(isPresented: isPresented, onDismiss: onDismiss, sheet: content))
  }

  /// Has the user asked as well before the sheet around the view is left, as after a change of what is no text.
  public func dismissalConfirmationDialog(shouldPresent: Bool) -> some View {
    merged(attributes: shouldPresent ? ["data-changed": ""] : [:])
  }
}
