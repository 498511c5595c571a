import Stage

/// Changes a card in a window, in steps that can be undone there.
@MainActor
struct CardEditor {
  let id: UUID
  let store: CardStore
  @Binding var history: CardHistory
  @Binding var selection: UUID?
  /// What a person should know about the last change.
  @Binding var message: String?

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
    message = nil
    if inverse.isEmpty { return }
    var history = history.card == id ? history : CardHistory(of: id)
    history.record(inverse, isContinued: isContinued)
    self.history = history
  }

  /// Puts an element on the card, and selects it.
  func add(_ element: any CardElement) {
    edit { $0.elements.append(element) }
    selection = element.id
  }

  /// Puts an image on the card, and selects it.
  func add(_ upload: Upload) {
    if let card = store.card(id), let image = store.imageElement(upload, for: card) { add(image) }
  }

  /// Takes an element off the card.
  func remove(_ element: UUID) {
    selection = nil
    edit { $0.elements.removeAll { $0.id == element } }
    message = "The element was removed."
  }

  /// Undoes the last step that has an effect, or makes it again.
  func step(isRedo: Bool) {
    var (history, isComplete) = (history, true)
    history.step(isRedo: isRedo) { changes in
      var inverse: [CardChange] = []
      store.edit(id, saving: .now) { card in
        let before = card
        isComplete = card.apply(changes) && isComplete
        inverse = CardChange.changes(from: card, to: before)
      }
      if let element = inverse.compactMap(\.element).first {
        selection = store.card(id)?[element]?.id
      }
      return inverse
    }
    self.history = history
    message =
      isComplete ? nil : "A step was left out: its element was removed in another window."
  }
}
