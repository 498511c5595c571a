import Stage

/// The third step of the chapter: the digit is written, and another default is tried.
enum WrittenRatings {
  struct RatingView: View {
    let exerciseIndex: Int
    @AppStorage("ratings") private var ratings = "4000"
    @State private var rating = 0

    func updateRating(index: Int) {
      rating = index
      let index = ratings.index(
        ratings.startIndex,
        offsetBy: exerciseIndex)
      ratings.replaceSubrange(index...index, with: String(rating))
    }

    var body: some View {
      HStack {
        ForEach(1..<6) { index in
          Image(systemName: "waveform.path.ecg")
            .foregroundColor(index > rating ? .gray : .red)
            .onTapGesture {
              updateRating(index: index)
            }
            .accessibilityLabel("Rate \(index) of 5")
            .onAppear {
              let index = ratings.index(ratings.startIndex, offsetBy: exerciseIndex)
              rating = ratings[index].wholeNumberValue ?? 0
            }
        }
      }
    }
  }
}
