/// One step of the way from a view's body to a view inside it; the whole way is its identity.
enum Step: Hashable {
  case index(Int)
  case key(AnyHashable)
  case content
  case label
}
