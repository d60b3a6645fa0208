/// What the subcommands do that `tickbird-host` executes, as the help of both programs says it.
public enum CommandAbstract {
  /// Of `browser`.
  public static let browser =
    "Registers Tickbird with Chromium- and Firefox-based browsers, and says how to load the extension."
  /// Of `extensions`.
  public static let extensions =
    "Installs app extensions, turns them on and off, and sends them messages."
  /// Of `gallery`.
  public static let gallery = "Builds galleries of packages, and adds those that you install from."
  /// Of `install`.
  public static let install =
    "Installs an extension from a package: an address, a file, or a name in a gallery."
  /// Of `links`.
  public static let links = "Keeps Shared Links: one stream of links from feeds and extensions."
  /// Of `lists`.
  public static let lists = "Subscribes to filter lists and rule lists, and keeps them up to date."
  /// Of `notes`.
  public static let notes = "Keeps notes on sites and pages, and synchronises them between devices."
  /// Of `package`.
  public static let package = "Makes and checks signed packages of extensions."
  /// Of `run`.
  public static let run = "Runs the service that the subcommands for extensions share."
  /// Of `serve`.
  public static let serve =
    "Shows extensions, lists, rules, the stream and notes in your browser."
  /// Of `setup`.
  public static let setup =
    "Installs the extension in your browsers, and takes everything back with --undo."
  /// Of `update`.
  public static let update = "Updates the installed extensions from their galleries."
}
