#include "tablestore/rows/visibility.h"

#include <chrono>

namespace dinette::tablestore {

Visibility Visibility::of(const TableOptions& options, base::TimePoint now) {
  Visibility visibility;
  visibility.max_versions = options.max_versions;
  if (!options.expires()) return visibility;
  // A version has expired when its second and the time to live are not after the present second.
  const auto second = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
  visibility.oldest = (second - options.time_to_live + 1) * 1000;
  return visibility;
}

bool keep_visible(Cells& cells, const Visibility& visibility) {
  bool some_expired = false;
  std::size_t kept = 0;
  std::int32_t versions = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    versions = kept > 0 && cells[kept - 1].name == cells[i].name ? versions : 0;
    if (visibility.expired(cells[i].version)) {
      some_expired = true;
    } else if (versions < visibility.max_versions) {
      ++versions;
      if (kept != i) cells[kept] = cells[i];
      ++kept;
    }
  }
  cells.resize(kept);
  return kept > 0 || !some_expired;
}

}  // namespace dinette::tablestore
