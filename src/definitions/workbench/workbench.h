#pragma once

#include "../format.h"

namespace dinette::definitions {

/// Models of NoSQL Workbench: tables with their indexes and sample items.
extern const Format workbench_format;

}  // namespace dinette::definitions
