#pragma once

#include <span>
#include <string>
#include <string_view>

#include "definitions/member_kinds.h"
#include "named_resource.h"

namespace dinette::definitions::cloudformation {

/// A property, and the member of an API that it becomes.
struct Property {
  std::string_view name;
  std::string_view member;
  MemberKind kind = MemberKind::text;
  std::span<const Property> inner = {};  ///< of a map, or of the maps in a list; none: of texts
};

// Those of the resources of Amazon Keyspaces. Members that the API has in another place are in the one that
// the properties have.
std::span<const Property> properties_of_keyspace();
std::span<const Property> properties_of_user_type();
std::span<const Property> properties_of_keyspaces_table();

/// Turns properties into members of their JSON types. Empty lists, which the service refuses, are left out.
/// What has another type is an error, what is not known a warning, both with the resource's name.
class PropertyConversion {
 public:
  PropertyConversion(const NamedResource& resource, Definitions& to) : resource_(resource), to_(to) {}

  Node members(const Node& properties, std::span<const Property> known) {
    return converted_map(properties, known, {});
  }
  bool failed() const { return failed_; }

 private:
  Node converted_map(const Node& properties, std::span<const Property> known, const std::string& path);
  Node converted_list(const Node& list, const Property& property, const std::string& path);
  Node converted(const Node& value, const Property& property, const std::string& path);
  Node converted_scalar(const Node& value, MemberKind kind, const std::string& path);
  Node fail(const Node& value, MemberKind kind, const std::string& path);

  const NamedResource& resource_;
  Definitions& to_;
  bool failed_ = false;
};

}  // namespace dinette::definitions::cloudformation
