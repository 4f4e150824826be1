#include "dinette/store/kept_setting.h"

#include <chrono>

#include "store/keys.h"

namespace dinette::store {
namespace {

constexpr std::chrono::seconds longest_wait{10};

}  // namespace

kv::Result<std::optional<kv::Value>> read_setting(const kv::Engine& engine, std::string_view name) {
  return engine.get(EngineKey::setting(name).view());
}

kv::Result<void> keep_setting(kv::Engine& engine, std::string_view name, std::string_view value) {
  kv::WriteBatch batch;
  batch.put(EngineKey::setting(name).view(), kv::Value(value));
  DINETTE_CHECK(engine.write(batch));
  return {};
}

kv::Result<void> change_setting(kv::Engine& engine, std::string_view name,
                                base::FunctionRef<std::string(std::string_view kept)> change) {
  const EngineKey key = EngineKey::setting(name);
  const kv::Lock locks[] = {{key.view()}};
  const std::string_view reads[] = {key.view()};
  const auto write = [&](kv::Transaction& transaction) -> kv::Result<kv::Decision> {
    DINETTE_TRY(const auto kept, transaction.get(key.view()));
    transaction.batch().put(key.view(), kv::Value(change(kept ? kept->view() : std::string_view())));
    return kv::Decision::commit;
  };
  DINETTE_CHECK(engine.transact({.locks = locks, .reads = reads},
                                std::chrono::steady_clock::now() + longest_wait, write));
  return {};
}

}  // namespace dinette::store
