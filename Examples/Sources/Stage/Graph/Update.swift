/// What a window receives in one message: changes, and how to move from the old picture to the new one.
struct Update {
  var patches: [Patch]
  var animation: Animation?
}
