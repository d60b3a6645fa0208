// An extension that tries to break out, and one that does ordinary work; the argument says which.
//
// `break-out` prints a line for each attempt: its name, the system call that must be told or "-",
// and "refused" or the outcome, separated by tabs. The variables say what there is to reach.

import Foundation

let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "break-out": breakOut()
case "work": await work()
case "mind": sayWhoIAm()
case "fetch": await fetch(arguments.dropFirst().first ?? "")
case "listen": listenAndAnswer()
case "use": use(arguments.dropFirst().first ?? "")
default: say("hello")
}
