#pragma once

#include "variables.h"

namespace dinette::definitions::serverless {

/// Adds what the `stream` events of functions are in a template: event source mappings. Streams of Kinesis
/// are left out; one that cannot be resolved is a warning.
void add_streams(const Node& service, Variables& variables, Node& template_resources, Definitions& to);

}  // namespace dinette::definitions::serverless
