public import Keepsake

/// Several views of which one is shown, and a bar to choose it.
public struct TabView<Selection: Hashable & Sendable, Content: View>: View {
  private let selection: Binding<Selection>
  private let content: Content

  /// Shows the view whose tag is selected.
  public init(selection: Binding<Selection>, @ViewBuilder content: () -> Content) {
    self.selection = selection
    self.content = content()
  }
}

/// The tabs that have been shown once; their views keep their state.
private final class VisitedTabs: ElementIdentity {
  var tags: Set<AnyHashable> = []
}

extension TabView: PrimitiveView {
  private struct Tab {
    let tag: AnyHashable
    let view: any View
    let scope: Scope
  }

  package func resolve(in scope: Scope) -> [Output] {
    let visited = scope.slot { VisitedTabs(scope) }
    let id = visited.id
    var tabs: [Tab] = []
    scope.child(.content).forEachChild(of: content) { view, childScope in
      let tag = view.tabTrait { $0.tag } ?? AnyHashable(tabs.count)
      tabs.append(Tab(tag: tag, view: view, scope: childScope))
    }
    let selected = AnyHashable(selection.wrappedValue)
    // A stored selection may name a tab that no longer exists; then the first is shown and nothing is lost.
    let shown = tabs.contains { $0.tag == selected } ? selected : tabs.first?.tag
    if let shown { visited.tags.insert(shown) }

    var bar: [Output] = []
    var panels: [Output] = []
    for (index, tab) in tabs.enumerated() {
      let isShown = tab.tag == shown
      bar.append(button(for: tab, id: "\(id)t\(index)", isSelected: isShown))
      guard visited.tags.contains(tab.tag) else { continue }
      var tabScope = tab.scope
      tabScope.isVisible = scope.isVisible && isShown
      let outputs = tabScope.resolve(tab.view)
      if isShown {
        var panel = Element(id: "\(id)p\(index)")
        panel.attributes = [
          "role": "tabpanel", "class": "panel", "tabindex": "-1",
          "aria-labelledby": "\(id)t\(index)",
        ]
        panels.append(.element(panel, outputs))
      }
    }
    let list = Element(id: "\(id)l", attributes: ["role": "tablist", "class": "tabs"])
    return [
      .element(
        Element(id: id, attributes: ["class": "tabview"]), [.element(list, bar)] + panels)
    ]
  }

  private func button(for tab: Tab, id: String, isSelected: Bool) -> Output {
    var element = Element(id: id, tag: "button")
    element.attributes = [
      "type": "button", "role": "tab", "data-tap": "",
      "aria-selected": "\(isSelected)", "tabindex": isSelected ? "0" : "-1",
    ]
    element.on(.tap) { [selection] _ in
      if let tag = tab.tag.base as? Selection { selection.wrappedValue = tag }
    }
    let label = tab.view.tabTrait { $0.label } ?? Text("\(tab.tag)")
    return .element(element, tab.scope.child(.tabItem).resolve(label))
  }
}
