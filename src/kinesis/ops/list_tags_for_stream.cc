#include "kinesis/api/list_tags_for_stream.h"

#include <algorithm>
#include <vector>

#include "kinesis/streams/open_stream.h"

namespace dinette::kinesis::ops {

Answer<api::ListTagsForStreamOutput> list_tags_for_stream(const Context& context,
                                                          api::ListTagsForStreamInput&& input) {
  DINETTE_TRY(const OpenStream stream, open_stream(context, {input.stream_name, input.stream_arn}));
  const std::vector<api::Tag>& tags = stream.record().tags;  // in the order of their keys
  auto next = tags.begin();
  if (input.exclusive_start_tag_key)
    next = std::ranges::upper_bound(tags, *input.exclusive_start_tag_key, {}, &api::Tag::key);
  api::ListTagsForStreamOutput output;
  for (; next != tags.end() && output.tags.size() < static_cast<std::size_t>(input.limit); ++next)
    output.tags.push_back(*next);
  output.has_more_tags = next != tags.end();
  return output;
}

}  // namespace dinette::kinesis::ops
