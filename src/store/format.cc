#include "dinette/store/format.h"

#include <chrono>
#include <string>
#include <string_view>

#include "dinette/base/bytes.h"

#include "store/keys.h"

namespace dinette::store {
namespace {

kv::Value encode(std::uint32_t version) {
  std::string bytes;
  base::append_big_endian(bytes, version);
  return kv::Value(bytes);
}

kv::Result<void> check(std::string_view stored) {
  if (stored.size() < sizeof(std::uint32_t))
    return base::Failure{kv::Error{kv::ErrorKind::corrupt, "the format of the data cannot be read"}};
  const auto version = base::load_big_endian<std::uint32_t>(stored.data());
  if (version <= format_version) return {};
  return base::Failure{kv::Error{kv::ErrorKind::unsupported,
                                 "the data were written in format " + std::to_string(version) +
                                     " by a newer version of this program, which reads formats up to " +
                                     std::to_string(format_version)}};
}

kv::Result<void> check_empty(const kv::Reader& reader) {
  DINETTE_TRY(const auto cursor, reader.cursor({}));
  DINETTE_TRY(const bool any, cursor->first());
  if (!any) return {};
  return base::Failure{kv::Error{kv::ErrorKind::corrupt, "there are data, but not of this program"}};
}

}  // namespace

kv::Result<void> check_format(kv::Engine& engine) {
  constexpr std::chrono::seconds patience{10};
  const EngineKey key = EngineKey::format();
  const kv::Lock locks[] = {{key.view()}};
  const std::string_view reads[] = {key.view()};
  const auto check_or_mark = [&](kv::Transaction& transaction) -> kv::Result<kv::Decision> {
    DINETTE_TRY(const auto stored, transaction.get(key.view()));
    if (stored) {
      DINETTE_CHECK(check(stored->view()));
      return kv::Decision::abandon;
    }
    DINETTE_CHECK(check_empty(transaction));
    transaction.batch().put(key.view(), encode(format_version));
    return kv::Decision::commit;
  };
  const auto deadline = std::chrono::steady_clock::now() + patience;
  DINETTE_CHECK(engine.transact({.locks = locks, .reads = reads}, deadline, check_or_mark));
  return {};
}

kv::Result<bool> is_untouched(const kv::Engine& engine) {
  DINETTE_TRY(const auto last_id, engine.get(EngineKey::last_id().view()));
  return !last_id;
}

}  // namespace dinette::store
