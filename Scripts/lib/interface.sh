# What the C interface takes of modules that also know files and processes, for the scripts that build it.

# Prints the files of a module: interface_sources NAME.
interface_sources() {
  case $1 in
    TextOutput) files="ProductVersion" ;;
    CommandInput) files="Loads/DescribedLoad Loads/LoadWord Loads/LoadWords" ;;
    CommandOutput)
      files="CheckJSON DecisionJSON Explaining/ExplanationJSON Explaining/RuleID IgnoredFindings JSONWriter ShownText" ;;
  esac
  for file in $files; do echo "Sources/$1/$file.swift"; done
}
