import Stage

struct LinkedBarsView: View {
  @State var isLinked = true

  var body: some View {
    ZStack {
      BarView()
        .alignmentGuide(HorizontalAlignment.center) { d in
          d[isLinked ? .center : .trailing]
        }
      BarView()
        .alignmentGuide(HorizontalAlignment.center) { d in
          d[isLinked ? .center : .leading]
        }
    }
    .frame(width: 160)
    .onTapGesture {
      withAnimation {
        isLinked.toggle()
      }
    }
  }
}
