#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Sidestep authors
# SPDX-License-Identifier: Apache-2.0
#
# install_packages.sh PART...
# Installs the Debian packages that the parts need (scripts/packages/PART.txt), and only those that are missing. Without
# apt it looks for the same libraries and programs, and says which are missing. Exit code: 0 all there, 2 something missing.
# Plain sh: it runs before anything else is installed.
set -eu

lists=$(dirname "$0")/packages

if [ $# -eq 0 ]; then
    echo "usage: $0 PART...   parts: $(cd "$lists" && echo *.txt | sed 's/\.txt//g')" >&2
    exit 2
fi

# Lines "package probe meaning" of all parts.
wanted=$(for part in "$@"; do
    if [ ! -f "$lists/$part.txt" ]; then
        echo "error: there is no part '$part' in $lists" >&2
        exit 2
    fi
    sed '/^#/d; /^$/d' "$lists/$part.txt"
done)

installed() {
    dpkg-query -W -f '${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed
}

# Is a command on the path, or a header known to the compiler?
found() {
    case $1 in
        command:*) command -v "${1#command:}" >/dev/null 2>&1 ;;
        header:*) echo "#include <${1#header:}>" | "${CXX:-c++}" -std=c++20 -x c++ -M - >/dev/null 2>&1 ;;
        *) true ;;
    esac
}

has_apt=false
if command -v apt-get >/dev/null 2>&1 && command -v dpkg-query >/dev/null 2>&1; then has_apt=true; fi

missing=""
meanings=""
while read -r package probe meaning; do
    if $has_apt; then
        if installed "$package"; then continue; fi
    elif found "$probe"; then
        continue
    fi
    missing="$missing $package"
    meanings="$meanings
    $meaning   (Debian: $package)"
done <<END
$wanted
END

if [ -z "$missing" ]; then exit 0; fi

give_up() {
    echo "error: $1. Please install:$meanings" >&2
    exit 2
}

if ! $has_apt; then give_up "this is not a Debian system, and something is missing"; fi

if [ "$(id -u)" -eq 0 ]; then
    as_root="env"
elif command -v sudo >/dev/null 2>&1; then
    as_root="sudo env"
else
    give_up "packages are missing, and this user is neither root nor has sudo"
fi

echo "Installing:$missing"
export DEBIAN_FRONTEND=noninteractive
# Word splitting is meant: one word per package.
# shellcheck disable=SC2086
if ! { $as_root DEBIAN_FRONTEND=noninteractive apt-get update -qq &&
       $as_root DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >/dev/null; }; then
    give_up "apt-get could not install everything"
fi
