#pragma once

#include <string>
#include <string_view>

#include "dinette/definitions/definitions.h"

namespace dinette::definitions::cloudformation {

/// A resource of a template that becomes something, evaluated.
struct NamedResource {
  std::string_view kind;  ///< "table", for messages; of static storage
  std::string id;         ///< the logical ID
  std::string name;       ///< of what it becomes
  Node properties;        ///< without functions
  Place place;
};

/// Returns `table "Orders"`.
std::string label_of(std::string_view kind, std::string_view name);

/// Adds a warning: `table "Orders": text`.
void warn_of(const NamedResource& resource, const std::string& text, Definitions& to);

}  // namespace dinette::definitions::cloudformation
