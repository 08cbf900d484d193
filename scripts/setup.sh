#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# scripts/setup.sh [package...]: installs what building garner needs, and the given Debian packages.
set -euo pipefail

say() { echo "setup: $*"; }

is_installed() { [[ $(dpkg -s "$1" 2>/dev/null) == *"Status: install ok installed"* ]]; }

libraries=(libxsimd-dev catch2 librapidcheck-dev libbenchmark-dev "$@")
tools=(g++ cmake make pkg-config)  # by command: they may come from elsewhere, cmake often does

missing=()
for tool in "${tools[@]}"; do
  command -v "$tool" >/dev/null || missing+=("$tool")
done

if ! command -v apt-get >/dev/null; then
  say "no apt-get here: install a C++20 compiler, CMake 3.24, make, pkg-config, xsimd, Catch2," \
    "RapidCheck and Google Benchmark yourself${*:+, and $*}."
  for tool in cmake "${CXX:-c++}"; do
    command -v "$tool" >/dev/null || { say "FAILED: $tool is missing"; exit 1; }
  done
  exit 0  # CMake says which library is missing, if one is
fi

for library in "${libraries[@]}"; do
  is_installed "$library" || missing+=("$library")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null || {
    say "FAILED: run as root: apt-get install ${missing[*]}"
    exit 1
  }
  as_root=(sudo)
fi
say "installing ${missing[*]}"
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -q -y --no-install-recommends "${missing[@]}" ||
  { say "FAILED: apt-get could not install ${missing[*]}"; exit 1; }
