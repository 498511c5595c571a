package import KeepsakeLoopback

/// What a view says of one element of the page.
package struct Element {
  package typealias Action = @MainActor (Event) -> Void
  package typealias Receiver = @MainActor (Loopback.Request) async -> Loopback.Response

  /// Empty for an element that only adds to the one inside it.
  package var id: String
  package var tag: String
  package var attributes: Attributes
  package var style: Attributes
  var text: String?
  var layout: LayoutRule
  var guides: AlignmentGuides = [:]
  /// Answers what the page sends for the element besides events.
  package var receive: Receiver?
  private var actions: [(kind: Event.Kind, action: Action)] = []

  package init(
    id: String = "", tag: String = "div", attributes: Attributes = [:], style: Attributes = [:],
    text: String? = nil, layout: LayoutRule = .none
  ) {
    self.id = id
    self.tag = tag
    self.attributes = attributes
    self.style = style
    self.text = text
    self.layout = layout
  }

  /// Does something when the user does something; what is said first, further inside, wins.
  package mutating func on(_ kind: Event.Kind, perform action: Action?) {
    if let action, self.action(for: kind) == nil { actions.append((kind, action)) }
  }

  package func action(for kind: Event.Kind) -> Action? {
    actions.first { $0.kind == kind }?.action
  }

  /// Has each action performed by way of a closure.
  package mutating func mapActions(_ action: (@escaping Action) -> Action) {
    for index in actions.indices { actions[index].action = action(actions[index].action) }
  }

  /// The same with another identity, and with nothing to lay out any more.
  package func laidOut(as id: String) -> Element {
    var element = self
    element.id = id
    element.layout = .none
    element.guides = [:]
    return element
  }

  /// Adds what a modifier without an element of its own says; what is further inside wins.
  mutating func merge(_ outer: Element) {
    attributes.add(outer.attributes)
    style.add(outer.style)
    guides.merge(outer.guides) { _, outer in outer }
    receive = receive ?? outer.receive
    for (kind, action) in outer.actions { on(kind, perform: action) }
  }
}
