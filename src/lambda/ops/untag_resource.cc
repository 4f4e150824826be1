#include "lambda/api/untag_resource.h"

#include <algorithm>
#include <string>

#include "lambda/mappings/open_mapping.h"

namespace dinette::lambda::ops {

Answer<api::UntagResourceOutput> untag_resource(const Context& context, api::UntagResourceInput&& input) {
  const auto remove = [&](aws::Entries<std::string>& tags) {
    std::erase_if(tags, [&](const auto& tag) {
      return std::ranges::find(input.tag_keys, tag.first) != input.tag_keys.end();
    });
  };
  DINETTE_CHECK(change_tags(context, input.resource, remove));
  return api::UntagResourceOutput();
}

}  // namespace dinette::lambda::ops
