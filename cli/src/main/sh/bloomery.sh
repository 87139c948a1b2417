#!/bin/sh
# The bloomery command as one file: what follows this script is the jar that it runs, with Java 17
# or newer. JAVA_HOME chooses the Java and JAVA_OPTS are options for it; BLOOMERY_PATH is a class
# path of variants that others have made, and BLOOMERY_CACHE=off keeps no classes for later starts.

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

# Java starts from an archive of classes that an earlier start had made:
# docs/decisions.md#the-command-starts-from-an-archive-of-classes-that-it-makes-in-the-users-cache
classes=
new_classes=
# From Java 18 on, reflection would make code for each field that picocli sets once.
common='-XX:+UseSerialGC -Djdk.reflect.useNativeAccessorOnly=true'
silence=-Xlog:cds*=off

# Sets the archive, or where a new one is to be made. An archive is code: it, its folder and what is
# above that must belong to this user or root, and be closed to others.
find_classes() {
  # Options that are about archives do not go together with ours, and those of files may be.
  case ${BLOOMERY_CACHE:-}:${JAVA_OPTS:-} in
    off:* | *rchive* | *Xshare* | *AOT* | *@* | *Flags=* | *OptionsFile=*) return 0 ;;
  esac
  case ${JAVA_TOOL_OPTIONS:-}${JDK_JAVA_OPTIONS:-}${_JAVA_OPTIONS:-}$jar in
    *rchive* | *Xshare* | *AOT* | *@* | *Flags=* | *OptionsFile=* | */proc/*) return 0 ;;
  esac
  # Not in the home of another user, as under sudo.
  [ -O "${XDG_CACHE_HOME:-${HOME:-}}" ] || return 0
  folder=${XDG_CACHE_HOME:-$HOME/.cache}/bloomery
  [ -d "$folder" ] || (umask 077 && mkdir -p "$folder") 2>/dev/null || return 0
  folder=$(CDPATH='' cd -P "$folder" 2>/dev/null && pwd -P) || return 0
  [ -O "$folder" ] || return 0

  set -- "$folder"/*.[aj][os][ta]
  [ -e "$1" ] || set --
  private=$(($# + 1))
  java=$(command -v "$java")
  set -- "$java" "$jar" "$folder" "$@"
  above=$folder
  while [ -n "$above" ]; do
    above=${above%/*}
    set -- "$@" "${above:-/}"
  done
  words=$(($# * 4))
  # Of GNU and BusyBox, or of BSD and macOS.
  states=$(stat -L -c '%u %a %s %Y' "$@" 2>/dev/null) ||
    states=$(stat -L -f '%u %Mp%Lp %z %m' "$@" 2>/dev/null) || return 0
  # shellcheck disable=SC2086
  set -- $states
  [ $# -eq $words ] || return 0
  of_both=$7-$8-$3-$4
  shift 8
  user=$1
  sizes=' '
  while [ $# -gt 0 ]; do
    case $1 in
      0 | "$user") ;;
      *) return 0 ;;
    esac
    case $private:$2 in
      0:[1357]???) ;;
      0:*[2367] | 0:*[2367]?) return 0 ;;
      0:* | *:[67]00 | *:0[67]00) ;;
      *) return 0 ;;
    esac
    if [ "$private" -gt 0 ]; then
      private=$((private - 1))
      sizes="$sizes$3 "
    fi
    shift 4
  done
  for found in "$folder/$of_both"-*.???; do
    size=${found##*-}
    # Java would crash with one that was truncated.
    case $sizes in
      *" ${size%.*} "*) [ -L "$found" ] || classes=$found ;;
    esac
  done
  case $classes in
    '') new_classes=$folder/$of_both ;;
    *.aot) silence=$silence,aot*=off ;;
  esac
}

# In the background, by a lock that is the folder where they are made. One that is a day old was
# broken off or is of a Java that makes none, which is tried again.
make_classes() {
  mkdir "$new_classes.new" 2>/dev/null || {
    [ -z "$(find "$new_classes.new" -prune -mtime +0 2>/dev/null)" ] || rm -rf "$new_classes.new"
    return 0
  }
  case $jar in
    /*) ;;
    *) jar=$PWD/$jar ;;
  esac
  case $java in
    /*) ;;
    *) java=$PWD/$java ;;
  esac
  {
    trap 'rm -rf "$new_classes.new"; exit' HUP TERM
    umask 077
    unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS
    cd "$new_classes.new" && new_archive || rm -f "$new_classes.new"/*
  } </dev/null >/dev/null 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- &
}

new_archive() {
  made=new.aot
  train -XX:AOTCacheOutput=$made io.bloomery.cli.Training . && [ -s $made ] || {
    # Before Java 25.
    made=new.jsa
    train -XX:ArchiveClassesAtExit=$made io.bloomery.cli.Training .
  }
  train -XX:SharedArchiveFile=$made -Xshare:on io.bloomery.cli.Main --version || return
  chmod 600 $made
  sync $made || sync
  rm -f "$new_classes"-*
  mv $made "$new_classes-$(($(wc -c <$made))).${made#new.}" || return
  cd .. && rm -rf "$new_classes.new"
  # Those of other jars and Javas, and what was broken off.
  find . -name '*.new' -prune -mtime +0 -exec rm -rf {} +
  # shellcheck disable=SC2012
  ls -t ./*.[aj][os][ta] | tail -n +4 | xargs rm -f
}

train() {
  # shellcheck disable=SC2086
  nice "$java" $common -cp "$jar" "$@"
}

find_classes

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
  "$java" $common ${classes:+"-XX:SharedArchiveFile=$classes" "$silence"} \
    -Dbloomery.terminal=$terminal -Dbloomery.terminal.out=$terminal_out ${JAVA_OPTS:-} -Dbloomery.launcher=$$ \
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
    10[0-6] | 170)
      [ -z "$new_classes" ] || make_classes
      exit $((code - 100))
      ;;
    143) if $interrupted; then exit 130; fi ;;
    # A crash, perhaps of damaged classes.
    134 | 135 | 139) [ -z "$classes" ] || rm -f "$classes" ;;
  esac
  [ "$code" -gt 128 ] ||
    fail "Java could not start, or ended by itself with exit code $code; see what it printed, JAVA_OPTS, and whether there is enough memory"
  exit "$code"
}
