#include "app/tables/apply_definitions.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "app/tables/apply_keyspaces.h"
#include "app/tables/apply_tables.h"
#include "app/tables/apply_triggers.h"

namespace dinette::app {
namespace {

void move_into(std::vector<AppliedResource>& all, std::vector<AppliedResource> further) {
  std::ranges::move(further, std::back_inserter(all));
}

}  // namespace

bool is_as_defined(const AppliedResource& resource) {
  return resource.outcome != AppliedResource::Outcome::failed &&
         resource.outcome != AppliedResource::Outcome::differs;
}

std::vector<AppliedResource> apply_definitions(const Transfer& transfer,
                                               const definitions::Definitions& definitions,
                                               const ApplySettings& settings) {
  std::vector<AppliedResource> all = apply_keyspaces(transfer, definitions.keyspaces, settings.existing);
  move_into(all, apply_tables(transfer, definitions, settings));
  move_into(all, apply_triggers(transfer, definitions.triggers, settings.existing));
  return all;
}

}  // namespace dinette::app
