#!/bin/sh
# Makes the pictures of README.md in a folder:  scripts/pictures.sh docs/pictures
# tests/checks/pictures.sh compares those that are committed.

to=$1
mkdir -p "$to" || exit 1
build/irlc show '(y, x) -> (y/8, x, y%8)' 16,8 --svg --out "$to/display.svg" || exit 1
build/irlc show '(y, x) -> (y/8, x)' 16,8 --svg --out "$to/lossy.svg"
[ $? = 1 ] || exit 1 # it is lossy
build/irlc show '(h, w, c) -> (c/4, h, |, w, c%4)' 3,4,6 --svg --frame 4 --out "$to/image.svg"
