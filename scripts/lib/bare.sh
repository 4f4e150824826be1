# Functions for scripts that try something in bare systems, made by debootstrap. They are sourced, and use:
#   folder   where bases are kept and trees are made
#   cache    a folder of a compiler cache that trees share, or nothing
# Everything is mounted in a namespace of its own, so that no mount outlives the script.

proxies=(http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY NODE_EXTRA_CA_CERTS)
trees=()

say() { echo "$(basename "$0"): $*" >&2; }
fail() { say "$*" && exit 1; }

# Prints the mirror that this machine's apt uses for Debian.
mirror() {
  local found
  found=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' | grep -E '/debian/?$' | sed -n 1p || true)
  echo "${found:-http://deb.debian.org/debian}"
}

# Makes a release's base once: what debootstrap calls minimal, and the packages that are named.
make_base() {
  local suite=$1 packages=$2 site=${3:-$(mirror)} base=$folder/base-$1
  [ ! -e "$base/.made" ] || return 0
  say "making a bare $suite in $base"
  rm -rf "$base"
  mkdir -p "$base"
  debootstrap --variant=minbase --include="$packages" "$suite" "$base" "$site" >"$base.log" 2>&1 || return 1
  touch "$base/.made"
}

# Runs a command in a tree.
inside() {
  local tree=$1 name environment=()
  for name in "${proxies[@]}"; do [ -z "${!name:-}" ] || environment+=("$name=${!name}"); done
  [ -z "$cache" ] || environment+=(CCACHE_DIR=/var/cache/ccache CCACHE_UMASK=000)
  # shellcheck disable=SC2016
  unshare --mount --pid --fork --kill-child bash -c '
    tree=$1; cache=$2; shift 2
    mount --bind "$tree" "$tree"
    mount -t proc proc "$tree/proc"
    mount -t sysfs sysfs "$tree/sys"
    mount --rbind /dev "$tree/dev"
    [ -z "$cache" ] || mount --bind "$cache" "$tree/var/cache/ccache"
    # Not chroot, inside which users may make no namespaces, as tests do.
    mkdir -p "$tree/mnt/outside" && cd "$tree" && pivot_root . mnt/outside && cd / && umount -l /mnt/outside
    exec "$@"' bash "$tree" "$cache" \
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${environment[@]}" "${@:2}"
}

# Takes over how this machine reaches mirrors and registries.
configure() {
  local tree=$1 home=$2 file
  cp --dereference /etc/resolv.conf "$tree/etc/resolv.conf"
  for file in $(grep -lsE '^[[:space:]]*Acquire::' /etc/apt/apt.conf.d/* /etc/apt/apt.conf || true); do
    cp "$file" "$tree/etc/apt/apt.conf.d/"
  done
  mkdir -p "$tree/usr/local/share/ca-certificates"
  find /usr/local/share/ca-certificates -name '*.crt' -exec cp -t "$tree/usr/local/share/ca-certificates" {} +
  cat /etc/npmrc /usr/etc/npmrc /usr/local/etc/npmrc ~/.npmrc 2>/dev/null |
    grep -E '^(registry|proxy|https-proxy|noproxy|cafile|strict-ssl)[[:space:]]*=' | sort -u >"$home/.npmrc" || true
}

# Copies a release's base; sets `tree`, the folder of the copy.
copy_base() {
  local suite=$1 name=$2
  tree=$(mktemp -d "$folder/$suite-$name-XXXXXX")
  trees+=("$tree")
  chmod 755 "$tree"
  cp -a "$folder/base-$suite/." "$tree"
  echo "127.0.0.1 localhost $(hostname)" >"$tree/etc/hosts"
}

remove_trees() { for tree in "${trees[@]}"; do rm -rf --one-file-system "$tree"; done; }
