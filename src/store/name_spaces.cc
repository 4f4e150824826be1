#include "dinette/store/name_spaces.h"

#include <set>

#include "dinette/base/bytes.h"
#include "dinette/store/key_codec.h"

#include "store/keys.h"

namespace dinette::store {
namespace {

/// Adds the name spaces of the keys that begin so. Skips to the next one each time.
kv::Result<void> add_name_spaces(const kv::Snapshot& snapshot, const EngineKey& beginning,
                                 std::set<std::string>& found) {
  const std::string end = base::prefix_end(beginning.view());
  DINETTE_TRY(const auto cursor, snapshot.cursor({beginning.view(), end}));
  DINETTE_TRY(bool more, cursor->first());
  while (more) {
    const auto name_space = TupleReader(cursor->key().substr(beginning.size())).read_bytes();
    if (!name_space)
      return base::Failure{kv::Error{kv::ErrorKind::corrupt, "the name space of a key cannot be read"}};
    if (!name_space->empty()) found.insert(*name_space);
    std::string all_of_it;
    append_bytes(all_of_it, *name_space);
    EngineKey next = beginning;
    next.append(base::prefix_end(all_of_it));
    DINETTE_TRY(more, cursor->seek(next.view()));
  }
  return {};
}

}  // namespace

kv::Result<std::vector<std::string>> name_spaces(const kv::Engine& engine, std::uint8_t face_id) {
  std::set<std::string> found;
  DINETTE_TRY(const auto snapshot, engine.snapshot());
  for (const EngineKey& beginning : EngineKey::with_name_space(face_id))
    DINETTE_CHECK(add_name_spaces(*snapshot, beginning, found));
  return std::vector(found.begin(), found.end());
}

}  // namespace dinette::store
