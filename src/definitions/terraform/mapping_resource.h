#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dinette/definitions/definitions.h"

#include "../cloudformation/event_source_mappings.h"
#include "resource.h"
#include "table_links.h"

namespace dinette::definitions {

/// Reads resources of type `aws_lambda_event_source_mapping`.
class MappingReader {
 public:
  /// All must outlive this.
  MappingReader(const std::vector<Resource>& resources, const TableLinks& tables,
                const Surroundings& surroundings);

  /// Returns nothing if the source is no table.
  std::optional<cloudformation::EventSourceMapping> read(const Resource& mapping) const;

 private:
  std::string function_of(const Resource& mapping) const;

  const TableLinks& tables_;
  const Surroundings& surroundings_;
  AddressIndex functions_by_address_;
  std::vector<const Resource*> functions_;
};

}  // namespace dinette::definitions
