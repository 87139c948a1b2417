#!/bin/sh
# The bloomery command as one file: what follows this script is the jar that it runs, with Java 17
# or newer. JAVA_HOME chooses the Java and JAVA_OPTS are options for it; BLOOMERY_PATH is a class
# path of variants that others have made.

set -eu

fail() {
  printf 'bloomery: %s\n' "$1" >&2
  exit 70
}

java=java
if [ -n "${JAVA_HOME:-}" ]; then
  java=$JAVA_HOME/bin/java
fi
command -v "$java" >/dev/null 2>&1 ||
  fail "cannot find '$java'; install Java 17 or newer, or set JAVA_HOME"

# Without a locale, as in a cron job, Java could not name files beyond ASCII.
case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
  C | POSIX)
    LC_ALL=C.UTF-8
    export LC_ALL
    ;;
esac

terminal=false
if [ -t 2 ]; then
  terminal=true
fi
terminal_out=false
if [ -t 1 ]; then
  terminal_out=true
fi

# Java would take the first file that it opens for a standard input that is closed.
(exec 3<&0) 2>/dev/null || exec </dev/null

# Java would go on without those of a class path that do not exist, and load code from the current
# folder for an empty one, which one colon too many makes.
jar=$0
path=
rest=${BLOOMERY_PATH:-}:
while [ -n "$rest" ]; do
  entry=${rest%%:*}
  rest=${rest#*:}
  [ -n "$entry" ] || continue
  # Of a folder, Java takes all jars if a star follows.
  [ -e "${entry%/\*}" ] ||
    fail "cannot find '$entry' of BLOOMERY_PATH; name jars or folders of classes, separated by colons"
  path=$path:$entry
done

# A colon in the name of the jar would end it there. The open file has another name, which the JVMs
# that this one starts know too.
case $jar in
  *:*)
    exec 9<"$jar"
    [ -r "/proc/$$/fd/9" ] ||
      fail "cannot run from '$(dirname "$jar")', as Java takes a colon for the end of a name; move it to a folder without one"
    jar=/proc/$$/fd/9
    ;;
esac

# Java runs in a child, since a Java that cannot start ends with 1 and one that is only to print
# something with 0, which would be answers of 'check' and 'verify'. Told of this process, the command
# adds 100 to its own exit codes. A child in the background reads nothing and ignores INT unless it
# is told otherwise: it gets the input by another number, and TERM in place of INT. In braces, the
# rest is read before Java starts, should this file change meanwhile.
# Compiling in one tier only starts a moment sooner, but takes half as long again for 10 million
# lines. JAVA_OPTS is split into words on purpose.
# shellcheck disable=SC2086
{
  exec 8<&0
  "$java" -XX:+UseSerialGC -Dbloomery.terminal=$terminal \
    -Dbloomery.terminal.out=$terminal_out ${JAVA_OPTS:-} -Dbloomery.launcher=$$ \
    -cp "$jar$path" io.bloomery.cli.Main "$@" <&8 8<&- &
  child=$!
  interrupted=false
  pass() {
    kill -s "$1" "$child" 2>/dev/null || true
  }
  trap 'interrupted=true; pass TERM' INT
  trap 'pass TERM' TERM
  trap 'pass HUP' HUP
  trap 'pass QUIT' QUIT
  code=0
  wait "$child" || code=$?
  # A signal that was passed on has only ended the waiting.
  while [ "$code" -gt 128 ] && kill -0 "$child" 2>/dev/null; do
    code=0
    wait "$child" || code=$?
  done
  case $code in
    10[0-5] | 170) exit $((code - 100)) ;;
    143) if $interrupted; then exit 130; fi ;;
  esac
  [ "$code" -gt 128 ] ||
    fail "Java could not start, or ended by itself with exit code $code; see what it printed, JAVA_OPTS, and whether there is enough memory"
  exit "$code"
}
