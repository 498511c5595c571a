import Stage

/// Rows whose marks are kept here.
struct RowsView: View {
  @State private var marks = [Bool](repeating: false, count: 1000)

  var body: some View {
    VStack(alignment: .leading) {
      ForEach(0..<marks.count) { index in
        RowView(number: index, isMarked: marks[index]) { marks[index].toggle() }
      }
    }
  }
}
