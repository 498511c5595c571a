@_exported public import KeepsakeCoding
@_exported public import KeepsakeDateFormatter
@_exported public import KeepsakeDocuments
@_exported public import KeepsakeFiles
@_exported public import KeepsakeScenes
@_exported public import KeepsakeSettings
