import Foundation

/// Writes a line to standard output and flushes it, so that it is not lost when the run is stopped.
func say(_ text: String) {
  FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

/// Writes a line about progress to the standard error.
func report(_ text: String) {
  FileHandle.standardError.write(Data((text + "\n").utf8))
}
