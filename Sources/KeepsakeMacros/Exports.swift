@_exported public import KeepsakeCoding
@_exported public import KeepsakeScenes
@_exported public import KeepsakeSettings
@_exported public import Observation
