// Nothing: extensions import Apple's frameworks here. The target is only so that a package which
// depends on the product AppleModules can be built on every system.
