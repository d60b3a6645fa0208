// Exports what programs need that compile lists, describe loads, and read decisions, reports and
// explanations, so that one import suffices. The other declarations of these modules are for work
// on the engine.

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
