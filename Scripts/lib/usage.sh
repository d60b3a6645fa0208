# What the scripts in sh and bash share: help, wrong use, and what is missing. They read it with
#
#     . "$(dirname "$0")/lib/usage.sh"
#
# A script's help is the comment at its top. Exit statuses are the same for all: 0 done, 1 not done,
# 2 wrong use, 77 something needed is missing.

script=${0##*/}
# The script may change the folder.
script_file=$(cd "$(dirname "$0")" && pwd)/$script

# Prints the comment at the top of the script.
usage() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$script_file"; }

# Ends with status 2 after what is wrong, if it is given, and the help.
wrong_use() {
  [ $# -eq 0 ] || echo "$script: $1" >&2
  usage >&2
  exit 2
}

# Prints the value of the option that the arguments begin with: hours=$(value "$@"); shift
value() {
  [ $# -ge 2 ] || { echo "$script: $1 needs a value" >&2; exit 2; }
  printf '%s\n' "$2"
}

# Ends with status 1 and a message.
fail() {
  echo "$script: $1" >&2
  exit 1
}

# Runs a program and ends as it does; to those that use ArgumentParser, wrong use is 64.
end_as() {
  "$@" && exit 0
  status=$?
  [ "$status" -ne 64 ] || exit 2
  exit "$status"
}

# Ends with status 77 and what is missing.
missing() {
  echo "$script: $1" >&2
  exit 77
}

# Prints a path as it is from the root, for a script that changes the folder; nothing for nothing.
absolute() {
  case $1 in
    '' | /*) printf '%s\n' "$1" ;;
    *) printf '%s\n' "$PWD/$1" ;;
  esac
}
