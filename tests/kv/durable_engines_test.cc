#include <catch2/catch.hpp>

#include "kv/contract.h"
#include "kv/durable_engine.h"

namespace dinette::test::durable_engines_test {

namespace {

constexpr kv::DataFolderOptions read_from_memory{};
constexpr kv::DataFolderOptions read_from_disk{.resident = false};
constexpr kv::DataFolderOptions waiting_for_the_disk{.sync = true};

template <const kv::DataFolderOptions& options>
std::unique_ptr<kv::Engine> make_durable() {
  return make_durable_engine(options);
}
template <const kv::DataFolderOptions& options>
std::unique_ptr<kv::Engine> open_durable(const std::filesystem::path& folder) {
  return open_durable_engine(folder, options);
}

}  // namespace

DINETTE_KV_CONTRACT_BUT_DURABILITY("durable engine, read from memory", make_durable<read_from_memory>,
                                   open_durable<read_from_memory>, durable_engine_log)
DINETTE_KV_CONTRACT_BUT_DURABILITY("durable engine, read from disk", make_durable<read_from_disk>,
                                   open_durable<read_from_disk>, durable_engine_log)

// A process that was forked while RocksDB has threads cannot start threads under the thread sanitizer.
#ifndef DINETTE_THREAD_SANITIZED
DINETTE_KV_CONTRACT_PART("durable engine, read from memory", durability, make_durable<read_from_memory>,
                         open_durable<read_from_memory>, durable_engine_log)
DINETTE_KV_CONTRACT_PART("durable engine, read from disk", durability, make_durable<read_from_disk>,
                         open_durable<read_from_disk>, durable_engine_log)
DINETTE_KV_CONTRACT_PART("durable engine, waiting for the disk", durability,
                         make_durable<waiting_for_the_disk>, open_durable<waiting_for_the_disk>,
                         durable_engine_log)
#endif

}  // namespace dinette::test::durable_engines_test
