import Foundation
print("hello", CommandLine.arguments, Bundle.main.bundlePath, NSHomeDirectory(), NSUserName())
let d = FileManager.default.currentDirectoryPath
do { try Data("x".utf8).write(to: URL(filePath: d + "/x"), options: .atomic); print("wrote") } catch { print(error) }
do { print(try String(contentsOfFile: "/etc/passwd", encoding: .utf8).count) } catch { print(error) }
UserDefaults.standard.set(1, forKey: "a"); print(UserDefaults.standard.synchronize())
print(Calendar.current.timeZone, Locale.current, Date())
