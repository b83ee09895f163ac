#!/bin/sh
# on_host.sh FLAG COMMAND...: runs the command if the processor has the flag of
# /proc/cpuinfo, or if FLAG is `any`; otherwise it says that it did not run.
need=$1
shift
[ "$need" = any ] || grep -qw "$need" /proc/cpuinfo || {
  echo "no $need here: not run"
  exit 0
}
exec "$@"
