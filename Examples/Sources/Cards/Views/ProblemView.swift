import Stage

/// Says what went wrong and what was kept, until the user has read it.
struct ProblemView: View {
  let problem: String
  let dismiss: @MainActor () -> Void

  var body: some View {
    HStack(spacing: 12) {
      Image(systemName: "exclamationmark.triangle")
        .foregroundColor(.orange)
      Text(problem)
        .font(.caption)
      Spacer()
      Button {
        dismiss()
      } label: {
        Image(systemName: "xmark")
      }
      .buttonStyle(.plain)
      .accessibilityLabel("Dismiss")
    }
    .accessibilityStatus()
    .padding(12)
    .background(.surface)
    .cornerRadius(12)
    .padding(12)
  }
}
