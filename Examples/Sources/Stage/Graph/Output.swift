/// What a view shows: an element with what is inside it, or the place of another view.
enum Output {
  indirect case element(Element, [Output])
  case node(ViewNode)
}
