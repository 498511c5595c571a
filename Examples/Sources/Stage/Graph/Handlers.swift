import Foundation

/// What an element does, besides on a tap, when the page tells of it.
struct Handlers {
  /// The user has changed the text or the choice of a field.
  var input: (@MainActor (String) -> Void)?
  var place: (@MainActor (Placement, Bool) -> Void)?
  var delete: (@MainActor () -> Void)?
  /// The user has tapped twice, or pressed the return key.
  var edit: (@MainActor () -> Void)?
  /// The user is done with a sheet.
  var dismiss: (@MainActor () -> Void)?
  var upload: (@MainActor (Upload) -> Void)?
  /// The user looks at these of a grid's views.
  var range: (@MainActor (Range<Int>) -> Void)?
  /// The user has dropped files; whether the app keeps them.
  var drop: (@MainActor ([URL], CGPoint) -> Bool)?

  /// Adds what is said further out; what is further inside wins.
  mutating func merge(_ outer: Handlers) {
    input = input ?? outer.input
    place = place ?? outer.place
    delete = delete ?? outer.delete
    edit = edit ?? outer.edit
    dismiss = dismiss ?? outer.dismiss
    upload = upload ?? outer.upload
    range = range ?? outer.range
    drop = drop ?? outer.drop
  }

  /// The same, by way of a closure that performs each.
  func performed(
    by perform: @escaping @MainActor (@escaping @MainActor () -> Void) -> Void
  ) -> Handlers {
    var handlers = Handlers()
    if let input { handlers.input = { text in perform { input(text) } } }
    if let place {
      handlers.place = { placement, isFirst in perform { place(placement, isFirst) } }
    }
    if let delete { handlers.delete = { perform(delete) } }
    if let edit { handlers.edit = { perform(edit) } }
    if let dismiss { handlers.dismiss = { perform(dismiss) } }
    if let upload { handlers.upload = { image in perform { upload(image) } } }
    if let drop {
      handlers.drop = { urls, location in
        var isKept = false
        perform { isKept = drop(urls, location) }
        return isKept
      }
    }
    return handlers
  }
}
