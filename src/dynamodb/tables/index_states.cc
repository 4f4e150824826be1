#include "dynamodb/tables/index_states.h"

#include "dynamodb/api/global_index_record.h"
#include "dynamodb/api/vector_index_record.h"

namespace dinette::dynamodb {

std::vector<IndexState> index_states(const api::TableSettings& settings) {
  std::vector<IndexState> states;
  const auto add = [&](const auto& records, bool vector) {
    for (const auto& record : records) {
      states.push_back({static_cast<store::IndexId>(record.id), record.definition.index_name, record.status,
                        record.building, vector});
    }
  };
  add(settings.global_secondary_indexes, false);
  add(settings.vector_indexes, true);
  return states;
}

}  // namespace dinette::dynamodb
