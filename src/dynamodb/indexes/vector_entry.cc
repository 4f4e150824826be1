#include "dynamodb/indexes/vector_entry.h"

#include <cstddef>

namespace dinette::dynamodb {

VectorEntry parts_of(const VectorSchema& vector, std::string_view entry) {
  const std::size_t bytes = vector.dimensions * sizeof(float);
  if (entry.size() < bytes) return {};
  return {entry.substr(0, bytes), entry.substr(bytes)};
}

std::string_view record_in_entry(const IndexSchema& index, std::string_view entry) {
  return index.vector ? parts_of(*index.vector, entry).record : entry;
}

}  // namespace dinette::dynamodb
