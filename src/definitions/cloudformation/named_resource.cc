#include "named_resource.h"

namespace dinette::definitions::cloudformation {

std::string label_of(std::string_view kind, std::string_view name) {
  return std::string(kind) + " \"" + std::string(name) + '"';
}

void warn_of(const NamedResource& resource, const std::string& text, Definitions& to) {
  to.warnings.push_back({resource.place, label_of(resource.kind, resource.name) + ": " + text});
}

}  // namespace dinette::definitions::cloudformation
