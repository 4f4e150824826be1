#include "kinesis/api/remove_tags_from_stream.h"

#include "kinesis/streams/open_stream.h"
#include "kinesis/streams/stream_tags.h"

namespace dinette::kinesis::ops {

Answer<api::RemoveTagsFromStreamOutput> remove_tags_from_stream(const Context& context,
                                                                api::RemoveTagsFromStreamInput&& input) {
  DINETTE_TRY(const OpenStream stream, open_stream(context, {input.stream_name, input.stream_arn}));
  DINETTE_CHECK(change_stream(context, stream, [&](api::StreamRecord& record) {
    return remove_tags(context, record, input.tag_keys);
  }));
  return api::RemoveTagsFromStreamOutput();
}

}  // namespace dinette::kinesis::ops
