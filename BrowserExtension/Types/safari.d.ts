// What the scripts that stand in for Safari find besides pages' own interfaces.

/** The browsers' interface, of which each script uses what its browser has. */
declare var browser: any;
declare var chrome: any;
