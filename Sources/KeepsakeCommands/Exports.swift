// An app names itself by its container.
@_exported public import KeepsakeFiles
