# What the scripts share that build with Embedded Swift for WebAssembly: check-embedded and build-npm.
# They read it behind usage.sh, in the root.

. Scripts/lib/interface.sh

swiftc=$(command -v swiftc) || missing "swiftc is not on the path"
# The tools must be the toolchain's own: those of the system may not know WebAssembly.
tools=$(dirname "$(readlink -f "$swiftc")")
target=wasm32-unknown-none-wasm
libraries=$tools/../lib/swift/embedded/$target
for tool in clang wasm-ld; do
  [ -x "$tools/$tool" ] || missing "the toolchain has no $tool in $tools"
done
[ -d "$libraries" ] || missing "the toolchain has no Embedded Swift for $target"

# Compiles a module for those that import it, into the folder $work: module -O NAME [FILE ...]. Without files these
# are the ones of Sources/NAME, but for the disassembler, which is for people with a console.
#
# No object: whoever imports a module of Embedded Swift compiles what it uses of it once more, so that the object of
# the last module holds all.
module() {
  optimization=$1
  name=$2
  shift 2
  # shellcheck disable=SC2046 # The sources' names hold no blanks.
  [ $# -gt 0 ] || set -- $(find "Sources/$name" -name '*.swift' ! -path '*/Disassembler/*' | LC_ALL=C sort)
  embedded "$optimization" "$name" -emit-module -emit-module-path "$work/$name.swiftmodule" "$@"
}

# Compiles the module that imports all others to one object: object -O NAME FILE ...
object() { embedded "$@" -c -o "$work/$2.o"; }

# Runs the compiler on a module: embedded -O NAME ARGUMENT ...
embedded() {
  optimization=$1
  name=$2
  shift 2
  "$swiftc" -target "$target" -enable-experimental-feature Embedded -wmo -parse-as-library \
    "$optimization" -swift-version 6 -enable-upcoming-feature InternalImportsByDefault \
    -package-name tickbird -file-prefix-map "$PWD"=. -file-compilation-dir . \
    -I "$work" -I Sources/CGramScan -I Sources/CTickbird -module-name "$name" "$@"
}

# Compiles the modules of the engine that every load goes through.
matching_modules() {
  for name in ResourceLoads TextScanning WebURL RuleMatching LoadDeciding; do module "$1" "$name"; done
}

# Compiles what reads, compiles and explains lists, behind matching_modules.
compiling_modules() {
  for name in Automata ContentRules ActionCoding RuleCompiler CodedErrors ContentBlocking; do
    module "$1" "$name"
  done
}

# Compiles the C interface with what JavaScript adds to it to the object, behind compiling_modules; of the modules
# that know files and processes, it takes the parts that do not.
interface_object() {
  for name in TextOutput CommandInput CommandOutput; do
    # shellcheck disable=SC2046 # The sources' names hold no blanks.
    module "$1" "$name" $(interface_sources "$name")
  done
  # shellcheck disable=SC2046 # As above.
  object "$1" CInterface $(find Sources/CInterface JavaScript/Module -name '*.swift' | LC_ALL=C sort)
}

# Compiles a file of C for the module.
c_object() {
  "$tools/clang" --target="$target" -O2 -mbulk-memory -ffreestanding -nostdlib -Wall -Werror \
    -c "$1" -o "$work/$(basename "$1" .c).o"
}

# Links objects to a module: link_module FILE MEMORY STACK OBJECT ... [OPTION ...].
# Functions keep their names if $names is "yes".
link_module() {
  file=$1
  memory=$2
  stack=$3
  shift 3
  [ "${names:-no}" = yes ] || set -- --strip-all "$@"
  "$tools/wasm-ld" --no-entry --gc-sections --initial-memory="$memory" \
    -z stack-size="$stack" --stack-first "$@" "$libraries/libswiftUnicodeDataTables.a" -o "$file"
}
