import Stage

/// Rates an exercise; each has a setting of its own.
///
/// Of a setting that two machines change while they cannot reach each other, the value that is sent last counts. With
/// all ratings in one, as in HIITFit, that would be so for different exercises, too.
struct RatingView: View {
  @EnvironmentObject private var sharing: Sharing
  @AppStorage private var rating: Int
  private let maximumRating = 5

  init(exerciseIndex: Int) {
    _rating = AppStorage(wrappedValue: 0, "rating.\(Exercise.exercises[exerciseIndex].name)")
  }

  var body: some View {
    HStack {
      ForEach(1..<maximumRating + 1) { index in
        Image(systemName: "waveform.path.ecg")
          .foregroundColor(index > rating ? .gray : .red)
          .onTapGesture {
            // The rating that is set, tapped again, is none.
            rating = index == rating ? 0 : index
          }
          .accessibilityLabel("Rate \(index) of \(maximumRating)")
          .accessibilityAddTraits(index <= rating ? [.isToggle, .isSelected] : .isToggle)
      }
    }
    .font(.largeTitle)
    .accessibilityGroup("Rating")
    if sharing.isWaiting {
      Text("The other machines cannot be reached. What you rate is kept, and sent later.")
        .font(.caption)
        .foregroundColor(.secondary)
        .accessibilityStatus()
    }
  }
}
