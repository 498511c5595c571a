import KeepsakeMacros
import Stage

/// How windows are mirrored.
@ObservableSettings
final class MirrorSettings: Sendable {
  var lastMirrored = ""
  var scale = 0.5
  var showsHint = true
  var hintColor = "#f2b705"
  @InScene var mirrored = ""
  @InScene var isMirroring = false
}
