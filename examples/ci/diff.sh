#!/usr/bin/env bash
# What a merge request changes, as a comment: diff.sh BASE FILE… writes Markdown, one part for each file that differs from
# BASE; a file that BASE does not have is judged as it is. The exit code is the worst.
set -euo pipefail
base=$1
shift
old=$(mktemp -d)
trap 'rm -rf "$old"' EXIT
code=0
for file in "$@"; do
  mkdir -p "$old/$(dirname "$file")"
  if ! git show "$base:./$file" > "$old/$file" 2> /dev/null; then
    ended=0
    kafka-advisor lint "$file" --format markdown > "$old/report.md" || ended=$?
    [ "$ended" -eq 3 ] || cat "$old/report.md"
    [ "$ended" -eq 3 ] || [ "$ended" -le "$code" ] || code=$ended
  elif ! cmp --silent "$old/$file" "$file"; then
    { kafka-advisor diff "$old/$file" "$file" --format markdown | sed "s|$old/|$base:|g"; } \
      || { ended=$?; [ "$ended" -eq 3 ] || [ "$ended" -le "$code" ] || code=$ended; }
  fi
done
exit "$code"
