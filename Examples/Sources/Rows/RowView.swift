import Stage

/// A row that is open or not by itself, and marked or not by the list.
struct RowView: View {
  @State private var isOpen = false
  let number: Int
  let isMarked: Bool
  let mark: @MainActor () -> Void

  var body: some View {
    HStack {
      Button(isOpen ? "Close" : "Open") { isOpen.toggle() }
        .accessibilityLabel("Own \(number)")
      Text("Row \(number)")
        .foregroundColor(isOpen ? .accentColor : .primary)
      Button(isMarked ? "Marked" : "Mark") { mark() }
        .accessibilityLabel("Parent \(number)")
    }
    .padding(4)
  }
}
