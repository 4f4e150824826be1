#pragma once

#include "definitions/format.h"

namespace dinette::definitions {

/// The manifest.json of a folder cdk.out, with the templates next to it.
extern const Format cloud_assembly_format;

}  // namespace dinette::definitions
