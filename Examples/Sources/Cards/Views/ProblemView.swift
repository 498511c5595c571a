import Stage

/// Says what went wrong and what was kept, until the user has read it.
struct ProblemView: View {
  let problem: Problem
  let dismiss: @MainActor () -> Void

  var body: some View {
    HStack(spacing: 12) {
      Image(systemName: "exclamationmark.triangle")
        .foregroundColor(.orange)
      VStack(alignment: .leading, spacing: 4) {
        Text(problem.message)
        if let details = problem.details {
          DisclosureGroup("Details") { Text(details).font(.caption) }
        }
      }
      Button {
        dismiss()
      } label: {
        Image(systemName: "xmark")
      }
      .buttonStyle(.plain)
      .accessibilityLabel("Dismiss")
    }
    .padding(12)
  }
}
