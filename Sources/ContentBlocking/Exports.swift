// What a program names that compiles lists, describes loads, and reads decisions, reports and
// explanations comes with this module, so that one import is enough. The rest of the modules below it
// is for who works on the engine.

@_exported public import enum ContentRules.Action
@_exported public import struct ContentRules.Diagnostic
@_exported public import struct ContentRules.DiagnosticCode
@_exported public import struct ContentRules.DiagnosticRenderer
@_exported public import struct ContentRules.ModifyHeaders
@_exported public import enum ContentRules.Redirect
@_exported public import struct ContentRules.Rule
@_exported public import struct ContentRules.RuleIdentifier
@_exported public import struct ContentRules.RuleListReport
@_exported public import struct ContentRules.Trigger
@_exported public import func LoadDeciding.upgradedToHTTPS
@_exported public import struct ResourceLoads.LoadContext
@_exported public import struct ResourceLoads.LoadType
@_exported public import enum ResourceLoads.RequestMethod
@_exported public import struct ResourceLoads.ResourceType
@_exported public import struct RuleCompiler.CompileError
@_exported public import struct RuleCompiler.CompilerLimits
@_exported public import enum RuleMatching.ActionKind
@_exported public import struct RuleMatching.ByteCodeError
@_exported public import struct WebURL.WebURL
