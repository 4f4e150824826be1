#include "lambda/api/tag_resource.h"

#include <algorithm>
#include <string>

#include "lambda/mappings/open_mapping.h"

namespace dinette::lambda::ops {
namespace {

void set_tag(aws::Entries<std::string>& tags, const std::string& key, const std::string& value) {
  const auto found = std::ranges::find(tags, key, &std::pair<std::string, std::string>::first);
  if (found == tags.end())
    tags.emplace_back(key, value);
  else
    found->second = value;
}

}  // namespace

Answer<api::TagResourceOutput> tag_resource(const Context& context, api::TagResourceInput&& input) {
  const auto add = [&](aws::Entries<std::string>& tags) {
    for (const auto& [key, value] : input.tags) set_tag(tags, key, value);
  };
  DINETTE_CHECK(change_tags(context, input.resource, add));
  return api::TagResourceOutput();
}

}  // namespace dinette::lambda::ops
