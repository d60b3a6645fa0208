// Empty: here, extensions import Apple's frameworks. The target exists so that a package that
// depends on the product AppleModules builds on every system.
