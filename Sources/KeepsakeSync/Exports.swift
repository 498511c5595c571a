// The types of other modules in public signatures come with the import of this one.
@_exported public import KeepsakeDocuments
@_exported public import KeepsakeSettings
