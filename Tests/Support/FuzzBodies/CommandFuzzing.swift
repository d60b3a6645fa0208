public import FuzzTargets

/// The kinds of untrusted input that the command and the engine read.
public enum CommandFuzzing {
  /// All of them.
  public static let targets = [
    FuzzTarget(ListTextBody.self), FuzzTarget(PatternBody.self), FuzzTarget(SelectorBody.self),
    FuzzTarget(URLBody.self), FuzzTarget(CompiledBytesBody.self), FuzzTarget(HARBody.self),
    FuzzTarget(RequestsBody.self), FuzzTarget(LogLinesBody.self), FuzzTarget(ConsoleBody.self),
    FuzzTarget(GzipBody.self), FuzzTarget(ExtensionMessageBody.self),
    FuzzTarget(PropertyListBody.self), FuzzTarget(WebExtensionBody.self),
    FuzzTarget(LegacyExtensionBody.self), FuzzTarget(EditorMessagesBody.self),
    FuzzTarget(SavedPageBody.self), FuzzTarget(ListTestsBody.self),
    FuzzTarget(FilterListBody.self), FuzzTarget(DeclarativeRulesBody.self),
    FuzzTarget(SourceMapBody.self), FuzzTarget(CInterfaceBody.self),
  ]
}
