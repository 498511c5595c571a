import Stage

/// Changes a card in a window, in steps that can be undone there.
@MainActor
struct CardEditor {
  let id: UUID
  let store: CardStore
  @Binding var history: CardHistory
  /// What the window does on this card, or on another that it showed before.
  @Binding var state: EditingState
  /// What a person should know about the last change.
  @Binding var remark: Remark?

  /// The chosen element.
  var selection: UUID? {
    get { current.selection }
    nonmutating set { if newValue != selection { current.selection = newValue } }
  }

  /// The open sheet.
  var sheet: EditingState.Sheet? {
    get { current.sheet }
    nonmutating set { current.sheet = newValue }
  }

  private var current: EditingState {
    get { state.card == id ? state : EditingState(card: id) }
    nonmutating set { state = newValue }
  }

  /// Opens a sheet.
  func open(_ sheet: EditingState.Sheet) { current.open(sheet) }

  /// Opens the sheet of an element.
  func open(_ element: any CardElement) {
    if let text = element as? TextElement {
      open(.text(text))
    } else if let image = element as? ImageElement {
      open(.frame(image))
    }
  }

  var canUndo: Bool { history.card == id && history.canUndo }
  var canRedo: Bool { history.card == id && history.canRedo }

  /// Makes a step.
  ///
  /// - Parameter isContinued: Whether it goes on with the last one, as a movement does that is under way.
  func edit(
    saving: LiveDocument<Card>.Saving = .now, isContinued: Bool = false,
    _ change: (inout Card) -> Void
  ) {
    var inverse: [CardChange] = []
    store.edit(id, saving: saving) { card in
      let before = card
      change(&card)
      inverse = CardChange.changes(from: card, to: before)
    }
    remark = nil
    record(inverse, isContinued: isContinued)
  }

  /// Puts an element on the card, and selects it.
  func add(_ element: any CardElement) {
    edit { $0.elements.append(element) }
    selection = element.id
  }

  /// Puts an image on the card, and selects it; one that an app kept which ended before it answered comes again,
  /// and is a step then if it was none yet.
  func add(_ upload: Upload) {
    guard let card = store.card(id), !history.concerns(upload.id) else { return }
    if card[upload.id] != nil {
      record([.remove(element: upload.id)])
    } else if let image = store.imageElement(upload, for: card) {
      add(image)
    }
  }

  /// Ends the sheet with changes of its element. One that another window has removed comes back.
  ///
  /// - Parameters:
  ///   - element: The element as the sheet began with it.
  ///   - changes: What the sheet has changed. What it has not stays as another window may have made it.
  func update<Element: CardElement>(_ element: Element, _ changes: [ElementChange<Element>]) {
    sheet = nil
    if let current = store.card(id)?[element.id] as? Element {
      edit { card in
        card.update(element.id, as: Element.self) { for change in changes { change.make(&$0) } }
      }
      if changes.contains(where: { $0.replaces(current, element) }) {
        remark = Remark(
          "It was changed in another window meanwhile, and your change is in its place. "
            + "Undo brings the other one back.")
      }
      return
    }
    var element = element
    for change in changes { change.make(&element) }
    add(element)
    remark = Remark("It was removed in another window, and is back with your change.")
  }

  /// Ends the sheet with a name of the card; what was not changed in it stays as another window may have
  /// made it.
  func rename(_ name: String, from old: String?) {
    sheet = nil
    let current = store.card(id)?.name ?? ""
    if name == old ?? "" || name == current { return }
    edit { $0.name = name.isEmpty ? nil : name }
    if current != old ?? "" {
      remark = Remark(
        "The card was renamed in another window meanwhile, and your name is in its place. "
          + "Undo brings the other one back.")
    }
  }

  /// Has undo bring an element back that another window has removed, and says so.
  func noteRemoval(of element: any CardElement, named name: String) {
    guard let card = store.card(id) else { return }
    var before = card
    before.elements.append(element)
    record(CardChange.changes(from: card, to: before))
    selection = nil
    remark = Remark("\(name) was removed in another window. Undo brings it back.")
  }

  private func record(_ inverse: [CardChange], isContinued: Bool = false) {
    if inverse.isEmpty { return }
    var history = history.card == id ? history : CardHistory(of: id)
    history.record(inverse, isContinued: isContinued)
    self.history = history
  }

  /// Takes an element off the card.
  func remove(_ element: UUID) {
    selection = nil
    edit { $0.elements.removeAll { $0.id == element } }
    remark = Remark("The element was removed.")
  }

  /// Undoes the last step that has an effect, or makes it again; what another window has changed since stays.
  func step(isRedo: Bool) {
    var (history, obstacle) = (history, CardChange.Obstacle?.none)
    history.step(isRedo: isRedo) { changes in
      var inverse: [CardChange] = []
      store.edit(id, saving: .now) { card in
        let before = card
        obstacle = card.apply(changes) ?? obstacle
        inverse = CardChange.changes(from: card, to: before)
      }
      if let element = inverse.compactMap(\.element).first {
        selection = store.card(id)?[element]?.id
      }
      return obstacle == .changed && inverse.isEmpty ? nil : inverse
    }
    self.history = history
    remark = obstacle.map {
      switch $0 {
      case .removed: Remark("A step was left out: its element was removed in another window.")
      case .changed: Remark("It was changed in another window since, and is left as it is.")
      }
    }
  }
}
