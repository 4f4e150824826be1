# Builds programs for scripts, which source it and run in the project's folder.

# Nobody edits before the first answer, so a new folder is configured for a build as a whole. One that has been configured stays as it is.
build_release() {
  [ -f build/release/build.ninja ] || cmake --preset release -DDINETTE_TOGETHER=ON || return
  cmake --build --preset release --target "$@"
}
