#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/function_ref.h"
#include "dinette/store/catalog.h"

#include "kinesis/api/enums.h"
#include "kinesis/request/context.h"
#include "kinesis/streams/stream_schema.h"

namespace dinette::kinesis {

/// How a request names a stream: by one of these, or both.
struct StreamName {
  const std::optional<std::string>& name;
  const std::optional<std::string>& arn;
};

/// A stream that was found. Holds on to one version of it.
struct OpenStream {
  store::TablePointer table;

  const StreamSchema& schema() const { return table->schema_as<StreamSchema>(); }
  const api::StreamRecord& record() const { return schema().record(); }
};

/// The state of a stream at a moment. A transition ends by the clock alone.
struct StreamState {
  api::StreamStatus status;
  bool gone = false;  ///< its deletion is over
};
StreamState state_at(const api::StreamRecord& record, base::TimePoint now);

/// Returns the name of the stream, unless the request gives none, or two.
Answer<std::string> name_of(const StreamName& stream);

/// Opens a stream in any state, or fails with ResourceNotFoundException.
Answer<OpenStream> open_stream(const Context& context, const StreamName& stream);
/// The same by its name alone; no table if there is none.
Answer<OpenStream> find_stream(const Context& context, const std::string& name);

/// Changes a stream while nothing is written to it. `edit` gets its present record, and may run more than
/// once. Returns the stream as it is then.
Answer<OpenStream> change_stream(const Context& context, const OpenStream& stream,
                                 base::FunctionRef<Answer<void>(api::StreamRecord& record)> edit);

/// Has the stream UPDATING for as long as the settings say.
void begin_update(const Context& context, api::StreamRecord& record);

/// Returns ResourceInUseException unless the stream is ACTIVE.
Answer<void> check_active(const Context& context, const api::StreamRecord& record);

/// Returns the number in the id of a shard, or an error if it has none.
Answer<std::int64_t> shard_number(const Context& context, const std::string& stream, std::string_view id);

base::Failure<ApiError> stream_not_found(std::string_view name, std::string_view account);
/// `Stream x under account y`, for messages.
std::string stream_under_account(std::string_view name, std::string_view account);

}  // namespace dinette::kinesis
