/// Does something when a value is another than at the last evaluation.
struct ChangeModifier<Value: Equatable>: PrimitiveModifier {
  let value: Value
  let isInitial: Bool
  let action: @MainActor (Value, Value) -> Void

  private final class LastValue: Slot {
    var value: Value?
  }

  func resolve(_ content: some View, in scope: Scope) -> [Output] {
    let last = scope.slot { LastValue() }
    let old = last.value
    if old == nil ? isInitial : old != value {
      scope.owner.renderer.enqueue { [value, action] in action(old ?? value, value) }
    }
    last.value = value
    return scope.child(.content).resolve(content)
  }
}

extension View {
  /// Does something with the new value when the value has changed.
  public func onChange<Value: Equatable>(
    of value: Value, perform action: @escaping @MainActor (Value) -> Void
  ) -> some View {
    modified(ChangeModifier(value: value, isInitial: false) { _, new in action(new) })
  }

  /// Does something when the value has changed.
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping @MainActor () -> Void
  ) -> some View {
    modified(ChangeModifier(value: value, isInitial: initial) { _, _ in action() })
  }

  /// Does something with the old and the new value when the value has changed.
  public func onChange<Value: Equatable>(
    of value: Value, initial: Bool = false, _ action: @escaping @MainActor (Value, Value) -> Void
  ) -> some View {
    modified(ChangeModifier(value: value, isInitial: initial, action: action))
  }
}
