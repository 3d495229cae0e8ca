#!/usr/bin/env bash
# What a merge request changes, as a comment: diff.sh BASE FILE… writes Markdown, one part for each file that changed.
set -euo pipefail
base=$1
shift
old=$(mktemp -d)
trap 'rm -rf "$old"' EXIT
code=0
for file in "$@"; do
  mkdir -p "$old/$(dirname "$file")"
  git show "$base:$file" > "$old/$file" 2> /dev/null || continue
  cmp --silent "$old/$file" "$file" && continue
  kafka-advisor diff "$old/$file" "$file" --format markdown || code=$?
done
exit "$code"
