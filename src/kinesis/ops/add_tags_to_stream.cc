#include "kinesis/api/add_tags_to_stream.h"

#include "kinesis/streams/open_stream.h"
#include "kinesis/streams/stream_tags.h"

namespace dinette::kinesis::ops {

Answer<api::AddTagsToStreamOutput> add_tags_to_stream(const Context& context,
                                                      api::AddTagsToStreamInput&& input) {
  DINETTE_TRY(const OpenStream stream, open_stream(context, {input.stream_name, input.stream_arn}));
  DINETTE_CHECK(change_stream(
      context, stream, [&](api::StreamRecord& record) { return add_tags(context, record, input.tags); }));
  return api::AddTagsToStreamOutput();
}

}  // namespace dinette::kinesis::ops
