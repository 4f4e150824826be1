#include "dinette/kv/commit_position.h"

#include "dinette/base/bytes.h"

namespace dinette::kv {

void CommitPosition::append_to(std::string& key) const {
  base::append_big_endian(key, number);
  base::append_big_endian(key, index);
}

CommitPosition CommitPosition::at_end_of(std::string_view key) {
  const char* const bytes = key.data() + key.size() - encoded_size;
  return {base::load_big_endian<CommitNumber>(bytes),
          base::load_big_endian<std::uint32_t>(bytes + sizeof(CommitNumber))};
}

}  // namespace dinette::kv
