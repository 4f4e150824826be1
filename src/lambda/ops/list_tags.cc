#include "lambda/api/list_tags.h"

#include "lambda/api/mapping_transition.h"
#include "lambda/mappings/open_mapping.h"

namespace dinette::lambda::ops {

Answer<api::ListTagsOutput> list_tags(const Context& context, api::ListTagsInput&& input) {
  DINETTE_TRY(const OpenMapping mapping, open_mapping_of_arn(context, input.resource));
  return api::ListTagsOutput{mapping.record.tags.value_or(aws::Entries<std::string>())};
}

}  // namespace dinette::lambda::ops
