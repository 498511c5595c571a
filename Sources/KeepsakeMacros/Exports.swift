@_exported public import KeepsakeCoding
