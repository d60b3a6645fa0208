// The submodules have no declarations of their own; the Swift modules carry them.
