/// One step of the way from a view's body to a view inside it; the whole way is its identity.
package enum Step: Hashable {
  case index(Int)
  case key(AnyHashable)
  case content
  /// What a control says about itself.
  case label
  /// The element that a modifier puts around a view.
  case box
  /// What is shown over the window.
  case sheet
  /// The label of a tab.
  case tabItem
}
