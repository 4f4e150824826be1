#pragma once

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "dinette/kv/data_folder.h"
#include "dinette/kv/memory.h"

#include "support/remote_engine.h"
#include "support/temporary_folder.h"

namespace test {

/// Engines in a folder that is removed with them.
struct TemporaryEngines {
  TemporaryFolder folder;
  std::shared_ptr<dinette::kv::Engines> engines =
      dinette::kv::open_data_folder(folder.path(), {.memory_bytes = 16 << 20, .resident = false}).value();
};

/// Opens the database of DINETTE_TEST_STORE; null in programs without support/postgres_engines.cc.
inline std::shared_ptr<dinette::kv::Engines> (*open_test_database)() = nullptr;

/// Returns engines in memory, or, if the environment variable DINETTE_TEST_ENGINE is `durable`, those of a
/// data folder that is removed with them, whose reads go to the disk; if it is `postgres`, those of a
/// database.
inline std::shared_ptr<dinette::kv::Engines> make_test_engines() {
  namespace kv = dinette::kv;
  const char* const kind = std::getenv("DINETTE_TEST_ENGINE");
  if (kind == nullptr || std::string_view(kind) == "remote") return kv::make_memory_engines();
  if (std::string_view(kind) == "postgres" && open_test_database != nullptr) return open_test_database();
  if (std::string_view(kind) != "durable")
    throw std::runtime_error("DINETTE_TEST_ENGINE can be: durable, remote, and in some programs postgres");
  const auto temporary = std::make_shared<TemporaryEngines>();
  return {temporary, temporary->engines.get()};
}

/// Returns one of them, or, if the variable is `remote`, a RemoteEngine.
inline std::shared_ptr<dinette::kv::Engine> make_test_engine() {
  const char* const kind = std::getenv("DINETTE_TEST_ENGINE");
  if (kind != nullptr && std::string_view(kind) == "remote")
    return std::make_shared<RemoteEngine>(dinette::kv::make_memory_engine());
  struct Held {
    std::shared_ptr<dinette::kv::Engines> engines = make_test_engines();
    std::shared_ptr<dinette::kv::Engine> engine = engines->make().value();
  };
  const auto held = std::make_shared<Held>();
  return {held, held->engine.get()};
}

}  // namespace test
