// RocksDB is not compiled with the thread sanitizer, which therefore does not see its atomics, and takes what
// they order for races.
extern "C" const char* __tsan_default_suppressions();  // NOLINT: the sanitizer's name

extern "C" const char* __tsan_default_suppressions() {
  return "race:rocksdb::\n";
}
