public import Keepsake

/// A choice of one among several values.
public struct Picker<Selection: Hashable & Sendable, Content: View>: View {
  private let title: String
  private let selection: Binding<Selection>
  private let content: Content

  /// Makes a choice among the views of a closure, each of which has a tag.
  public init(
    _ title: some StringProtocol, selection: Binding<Selection>,
    @ViewBuilder content: () -> Content
  ) {
    self.title = String(title)
    self.selection = selection
    self.content = content()
  }
}

extension Picker: PrimitiveView {
  package func resolve(in scope: Scope) -> [Output] {
    let id = scope.id
    var tags: [Selection] = []
    var options: [Output] = []
    scope.child(.content).forEachChild(of: content) { view, childScope in
      guard let tag = view.tabTrait({ $0.tag })?.base as? Selection else { return }
      var option = Element(id: "\(id)o\(tags.count)", tag: "option")
      option.attributes["value"] = "\(tags.count)"
      if tag == selection.wrappedValue { option.attributes["selected"] = "" }
      options.append(.element(option, childScope.resolve(view)))
      tags.append(tag)
    }
    var field = Element(id: id, tag: "select")
    field.attributes = ["class": "field", "data-input": "", "aria-label": title]
    field.on(.input) { [selection, tags] event in
      if let index = event.value.flatMap({ Int($0) }), tags.indices.contains(index) {
        selection.wrappedValue = tags[index]
      }
    }
    return [.element(field, options)]
  }
}
