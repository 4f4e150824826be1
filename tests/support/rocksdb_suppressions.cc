// RocksDB is not compiled with the thread sanitizer, which therefore does not see its atomics, and takes what
// they order for races. It keeps no frame pointers, so that its set of strings may be all that is left of a
// stack; no threads of ours share one.
extern "C" const char* __tsan_default_suppressions();  // NOLINT: the sanitizer's name

extern "C" const char* __tsan_default_suppressions() {
  return "race:rocksdb::\n"
         "race:std::_Hashtable<std::__cxx11::basic_string<char\n";
}
