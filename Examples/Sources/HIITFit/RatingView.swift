import Stage

struct RatingView: View {
  let exerciseIndex: Int
  @AppStorage("ratings") private var ratings = ""
  @State private var rating = 0
  let maximumRating = 5

  let onColor = Color.red
  let offColor = Color.gray

  // 1
  init(exerciseIndex: Int) {
    self.exerciseIndex = exerciseIndex
    // 2
    let desiredLength = Exercise.exercises.count
    if ratings.count < desiredLength {
      // 3
      ratings = ratings.padding(
        toLength: desiredLength,
        withPad: "0",
        startingAt: 0)
    }
  }

  fileprivate func convertRating() {
    let index = ratings.index(
      ratings.startIndex,
      offsetBy: exerciseIndex)
    let character = ratings[index]
    rating = character.wholeNumberValue ?? 0
  }

  func updateRating(index: Int) {
    rating = index
    let index = ratings.index(
      ratings.startIndex,
      offsetBy: exerciseIndex)
    ratings.replaceSubrange(index...index, with: String(rating))
  }

  var body: some View {
    HStack {
      ForEach(1..<maximumRating + 1) { index in
        Image(systemName: "waveform.path.ecg")
          .foregroundColor(
            index > rating ? offColor : onColor
          )
          .onTapGesture {
            // The rating that is set, tapped again, is none.
            updateRating(index: index == rating ? 0 : index)
          }
          .accessibilityLabel("Rate \(index) of \(maximumRating)")
          .accessibilityAddTraits(index <= rating ? [.isToggle, .isSelected] : .isToggle)
          .onAppear {
            convertRating()
          }
          .onChange(of: ratings) { _ in
            convertRating()
          }
      }
    }
    .font(.largeTitle)
    .accessibilityGroup("Rating")
  }
}

struct RatingView_Previews: PreviewProvider {
  @AppStorage("ratings") static var ratings: String?
  static var previews: some View {
    ratings = nil
    return RatingView(exerciseIndex: 0)
      .previewLayout(.sizeThatFits)
  }
}
