import Stage

/// The second step of the chapter: a digit for each exercise, read but not yet written.
enum StringOfRatings {
  struct ExerciseView: View {
    let index: Int

    var body: some View {
      RatingView(exerciseIndex: index)
    }
  }

  struct RatingView: View {
    let exerciseIndex: Int
    @AppStorage("ratings") private var ratings = "0000"
    @State private var rating = 0

    var body: some View {
      HStack {
        ForEach(1..<6) { index in
          Image(systemName: "waveform.path.ecg")
            .foregroundColor(index > rating ? .gray : .red)
            .onTapGesture { rating = index }
            .accessibilityLabel("Rate \(index) of 5")
            // 1
            .onAppear {
              // 2
              let index = ratings.index(
                ratings.startIndex,
                offsetBy: exerciseIndex)
              // 3
              let character = ratings[index]
              // 4
              rating = character.wholeNumberValue ?? 0
            }
        }
      }
    }
  }
}
