#!/bin/sh
# Installs Dinette from the files of a release: dinette-VERSION-linux-ARCHITECTURE.tar.gz and SHA256SUMS. Tools for dev
# containers run it as root while they build the image, in this folder, with the options of devcontainer-feature.json in
# the environment.
set -eu

version=${VERSION:-0.2.0}
release=${URL:-.}
prefix=${PREFIX:-/usr/local}

fail() {
  echo "dinette: $*" >&2
  exit 1
}

case $(uname -m) in
  x86_64) architecture=x64 ;;
  aarch64) architecture=arm64 ;;
  *) fail "there is no release for $(uname -m)" ;;
esac
tarball=dinette-$version-linux-$architecture.tar.gz

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Puts a file of the release into the folder $work.
get() {
  case $release in
    http://* | https://*)
      if command -v curl >/dev/null; then
        curl --fail --silent --show-error --location --output "$work/$1" "$release/$1"
      elif command -v wget >/dev/null; then
        wget -q -O "$work/$1" "$release/$1"
      else
        fail "downloading needs curl or wget; or put $1 into the folder of this feature"
      fi
      ;;
    *) cp "$release/$1" "$work/$1" ;;
  esac || fail "there is no $1 in $release"
}

get "$tarball"
get SHA256SUMS
cd "$work"
# Binary mode marks the name with an asterisk.
grep "[ *]$tarball\$" SHA256SUMS >sum || fail "SHA256SUMS does not list $tarball"
sha256sum -c sum >/dev/null 2>&1 || fail "$tarball is damaged: its checksum is not that of SHA256SUMS"

mkdir -p "$prefix/share/dinette"
tar -xzf "$tarball" -C "$prefix" --strip-components=1
"$prefix/bin/dinette" --version || fail "the program does not run here; it needs a Linux with glibc"

# Run at each start of the container, one after the other with those of other features.
cat >"$prefix/share/dinette/start-in-container" <<SCRIPT
#!/bin/sh
"$prefix/bin/dinette" ${ARGUMENTS:-} >"\${TMPDIR:-/tmp}/dinette.log" 2>&1 &
exec "\$@"
SCRIPT
chmod 755 "$prefix/share/dinette/start-in-container"
