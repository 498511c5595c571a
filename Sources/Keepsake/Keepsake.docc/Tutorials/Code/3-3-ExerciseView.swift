import Stage

struct ExerciseView: View {
  let exercise: Exercise

  var body: some View {
    VStack(spacing: 20) {
      Text(exercise.name)
        .font(.largeTitle)
      Text(exercise.advice)
        .foregroundColor(.secondary)
      RatingView(exercise: exercise.name)
    }
    .padding(32)
  }
}
