#!/bin/sh
# Runs a script of this folder with the tools that it compares, from PyPI, in a virtual environment
# outside the repository: $PEERS_VENV, else ~/.cache/irlayout-peers.
#   bench/peers/run.sh compile [ARG...]
#   bench/peers/run.sh peers [ARG...]
set -e
cd "$(dirname "$0")/../.."
venv=${PEERS_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/irlayout-peers}
[ -x "$venv/bin/pip" ] || python3 -m venv "$venv"
"$venv/bin/pip" install -q --disable-pip-version-check \
    numpy halide==21.0.0 apache-tvm==0.27.0.post1 tinygrad==0.14.0
case $1 in
compile) make -s build/bench/compile ;;
peers) make -s build/bench/auto ;;
*) echo "usage: $0 compile|peers [ARG...]" >&2; exit 2 ;;
esac
script=bench/peers/$1.py
shift
exec "$venv/bin/python" "$script" "$@"
