#include "kinesis/api/delete_stream.h"

#include "kinesis/api/stream_transition.h"
#include "kinesis/streams/open_stream.h"
#include "kinesis/streams/stream_upkeep.h"

// docs/service/kinesis-data-streams.md section 2.
namespace dinette::kinesis::ops {
namespace {

/// A stream in any other state can be deleted.
Answer<void> mark(const Context& context, api::StreamRecord& record) {
  using enum api::StreamStatus;
  if (state_at(record, context.now).status == deleting) DINETTE_CHECK(check_active(context, record));
  const aws::Timestamp now(context.now);
  record.transition = api::StreamTransition{deleting, now, now + context.state_delay};
  return {};
}

}  // namespace

Answer<api::DeleteStreamOutput> delete_stream(const Context& context, api::DeleteStreamInput&& input) {
  DINETTE_TRY(const OpenStream stream, open_stream(context, {input.stream_name, input.stream_arn}));
  DINETTE_TRY(const OpenStream marked, change_stream(context, stream, [&](api::StreamRecord& record) {
                return mark(context, record);
              }));
  if (context.state_delay.count() > 0) {
    finish_deletion_later(context.store, context.jobs, *marked.table);
  } else if (const auto removed = remove_stream(context.store, context.jobs, *marked.table); !removed) {
    return storage_failure(removed.error());
  }
  return api::DeleteStreamOutput();
}

}  // namespace dinette::kinesis::ops
