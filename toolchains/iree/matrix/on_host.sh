#!/bin/sh
# on_host.sh FLAG COMMAND...: runs the command where the processor has the flag of
# /proc/cpuinfo, or for `any`, and says so where it has not.
need=$1
shift
[ "$need" = any ] || grep -qw "$need" /proc/cpuinfo || {
  echo "no $need here: not run"
  exit 0
}
exec "$@"
