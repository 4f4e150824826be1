#include "kinesis/api/list_streams.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "kinesis/api/limits.h"
#include "kinesis/streams/open_stream.h"
#include "kinesis/streams/token.h"

namespace dinette::kinesis::ops {
namespace {

std::string page_after(const Context& context, std::string_view stream) {
  TokenWriter token(TokenKind::streams_page);
  token.add(aws::Timestamp(context.now));
  token.add(stream);
  return token.text();
}

/// Returns the name after which the page begins.
Answer<std::string> beginning(const Context& context, const api::ListStreamsInput& input) {
  if (!input.next_token) return input.exclusive_start_stream_name.value_or("");
  auto token = TokenReader::open(TokenKind::streams_page, *input.next_token);
  if (!token) return invalid_argument("NextToken is not valid.");
  const aws::Timestamp issued = token->time();
  std::string after = token->text();
  if (!token->complete()) return invalid_argument("NextToken is not valid.");
  DINETTE_CHECK(check_token_age(context, issued));
  return after;
}

api::StreamSummary summary_of(const Context& context, const api::StreamRecord& record) {
  return {record.name,
          arn_of(record),
          state_at(record, context.now).status,
          {record.mode},
          record.created.whole_seconds()};
}

}  // namespace

Answer<api::ListStreamsOutput> list_streams(const Context& context, api::ListStreamsInput&& input) {
  DINETTE_TRY(std::string after, beginning(context, input));
  const auto limit = std::min(static_cast<std::size_t>(input.limit), model::limits::streams_per_page);
  api::ListStreamsOutput output;
  std::vector<api::StreamSummary> summaries;
  // One more than the page tells whether there is more. Streams whose deletion is over do not count.
  while (summaries.size() <= limit) {
    DINETTE_KINESIS_STORED(const auto tables,
                           context.store.catalog().list(after, limit + 1 - summaries.size()));
    if (tables.empty()) break;
    after = tables.back()->name;
    for (const store::TablePointer& table : tables) {
      const api::StreamRecord& record = table->schema_as<StreamSchema>().record();
      if (!state_at(record, context.now).gone) summaries.push_back(summary_of(context, record));
    }
  }
  output.has_more_streams = summaries.size() > limit;
  if (output.has_more_streams) {
    summaries.resize(limit);
    output.next_token = page_after(context, summaries.back().stream_name);
  }
  for (const api::StreamSummary& summary : summaries) output.stream_names.push_back(summary.stream_name);
  output.stream_summaries = std::move(summaries);
  return output;
}

}  // namespace dinette::kinesis::ops
