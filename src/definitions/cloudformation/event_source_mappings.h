#pragma once

#include <set>
#include <string>

#include "dinette/definitions/definitions.h"

namespace dinette::definitions::cloudformation {

/// What calls a function for the records of a stream, evaluated.
struct EventSourceMapping {
  std::string id;
  std::string source;    ///< the ARN
  std::string function;  ///< its name or ARN
  Node settings;
  Place place;
};

/// Adds a trigger if the source is the stream of a table in `to`; an error if that table has no stream.
/// Other sources are ignored. `refused`: names of tables that have errors.
void add_event_source_mapping(EventSourceMapping mapping, const std::set<std::string>& refused,
                              Definitions& to);

}  // namespace dinette::definitions::cloudformation
