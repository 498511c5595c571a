import KeepsakeConfiguration
import Testing

@Suite("The layers of a configuration") struct PrecedenceTests {}
