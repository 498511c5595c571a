import Stage

struct ExerciseView: View {
  @EnvironmentObject private var history: HistoryStore
  @Binding var selectedTab: Int
  @SceneStorage private var timerEnd: Date?
  let index: Int

  init(selectedTab: Binding<Int>, index: Int) {
    _selectedTab = selectedTab
    _timerEnd = SceneStorage("timerEnd\(index)")
    self.index = index
  }

  private var exercise: Exercise { Exercise.exercises[index] }
  private var isLast: Bool { index + 1 == Exercise.exercises.count }

  var body: some View {
    VStack(spacing: 20) {
      Text("Exercise \(index + 1) of \(Exercise.exercises.count)")
        .font(.caption)
        .foregroundColor(.secondary)
      Text(exercise.name)
        .font(.largeTitle)
        .accessibilityHeading(.h1)
      Image(systemName: exercise.symbol)
        .font(.system(size: 96))
        .foregroundColor(.accentColor)
      Text(exercise.advice)
        .foregroundColor(.secondary)
      TimerView(end: $timerEnd) {
        history.add(exercise.name)
        timerEnd = nil
        selectedTab = isLast ? 9 : index + 1
      }
      RatingView(exerciseIndex: index)
    }
    .multilineTextAlignment(.center)
    .padding(24)
    .frame(maxWidth: 440)
    .background(.surface)
    .cornerRadius(24)
    .padding(16)
    .navigationTitle(exercise.name)
  }
}
