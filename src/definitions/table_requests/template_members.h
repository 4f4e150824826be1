#pragma once

#include "dinette/definitions/definitions.h"

namespace dinette::definitions {

/// People give CreateTable members that only CloudFormation has. Moves them from `table.create` to where a
/// request has them: time to live and others to follow-ups, SSEEnabled to Enabled.
void move_template_members(TableDefinition& table);

}  // namespace dinette::definitions
