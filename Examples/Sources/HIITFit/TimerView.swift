import Stage

/// Counts the seconds of an exercise down; once they have passed, it can be done.
struct TimerView: View {
  @EnvironmentObject private var configuration: LiveConfiguration<HIITFitConfiguration>
  /// When the exercise is over, if it was started; the time runs also while nobody is looking.
  @Binding var end: Date?
  let done: @MainActor () -> Void
  /// The time when the view last looked, before which the end may be passed.
  @State private var now = Date()
  @State private var pressed = Date.distantPast

  private var isOver: Bool { end.map { $0 <= now } ?? false }
  private var duration: TimeInterval { configuration.exerciseDuration }

  private var title: String {
    if end == nil { "Start" } else { isOver ? "Start Again" : "Stop" }
  }

  var body: some View {
    VStack(spacing: 12) {
      Group {
        if isOver {
          Text("Time is up")
            .accessibilityStatus()
        } else if let end {
          Text(timerInterval: now...end)
        } else {
          Text(Duration.seconds(duration).formatted(.time(pattern: .minuteSecond)))
            .foregroundColor(.secondary)
        }
      }
      .font(.title)
      HStack(spacing: 12) {
        // One button with three titles, so that it keeps the keyboard.
        Button(title) { press() }
          .buttonStyle(end == nil ? .borderedProminent : .bordered)
        Button("Done") { done() }
          .disabled(!isOver)
      }
    }
    .task(id: end) {
      now = Date()
      while let end, end > now, !Task.isCancelled {
        try? await Task.sleep(for: .seconds(min(end.timeIntervalSince(now), 3600)))
        now = Date()
      }
    }
  }

  /// Starts or stops the timer, except with the second click of a double click, which would take the first back.
  private func press() {
    defer { pressed = Date() }
    guard Date().timeIntervalSince(pressed) > 0.5 else { return }
    end = end == nil || isOver ? Date().addingTimeInterval(duration) : nil
  }
}
