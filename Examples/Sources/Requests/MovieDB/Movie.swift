/// A film, as The Movie Database describes it.
struct Movie: Codable, Identifiable, Hashable, Sendable {
  let id: Int
  let title: String
  /// The path of its poster, relative to the address of pictures.
  let posterPath: String?
  /// From 0 to 10.
  let voteAverage: Double
}
