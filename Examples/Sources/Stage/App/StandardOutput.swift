#if canImport(Darwin)
  @preconcurrency import Darwin
#elseif canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// Has each printed line seen at once, also where the output is a file or a pipe.
func printLinesAtOnce() {
  setvbuf(stdout, nil, _IOLBF, 0)
}
