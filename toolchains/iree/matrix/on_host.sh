#!/bin/sh
# on_host.sh COMMAND...: runs the command, where another test has an emulator before it.
exec "$@"
