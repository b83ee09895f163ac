#!/bin/sh
# update.sh COPY=FILE...: writes the copies into the source tree.
# Run by Bazel: ./bazelw run //docs:update
set -eu
: "${BUILD_WORKSPACE_DIRECTORY:?start it with ./bazelw run //docs:update}"
for pair; do
  copy=$BUILD_WORKSPACE_DIRECTORY/${pair%%=*}
  file=${pair#*=}
  if ! cmp -s "$file" "$copy"; then
    cat "$file" >"$copy.new"
    mv -f "$copy.new" "$copy"
    echo "updated ${pair%%=*}"
  fi
done
