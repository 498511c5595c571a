import Stage

struct DemoView: View {
  @State var isLinked = true

  var body: some View {
    HStack {
      BarView()
      if !isLinked {
        BarView()
      }
    }
    .onTapGesture {
      withAnimation {
        isLinked.toggle()
      }
    }
  }
}
