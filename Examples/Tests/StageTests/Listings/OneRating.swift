import Stage

/// The first step of the chapter: one rating for all exercises.
enum OneRating {
  struct ExerciseView: View {
    @AppStorage("rating") private var rating = 0
    let index: Int

    var body: some View {
      VStack {
        Text("Exercise \(index)")
        RatingView(rating: $rating)
      }
    }
  }

  struct RatingView: View {
    @Binding var rating: Int

    var body: some View {
      HStack {
        ForEach(1..<6) { index in
          Image(systemName: "waveform.path.ecg")
            .foregroundColor(index > rating ? .gray : .red)
            .onTapGesture { rating = index }
            .accessibilityLabel("Rate \(index) of 5")
        }
      }
    }
  }
}
