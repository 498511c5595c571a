/// The namespace of the HTTP server for pages of an app on the same machine, and of its parts.
public enum Loopback {}
