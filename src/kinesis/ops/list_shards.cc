#include "kinesis/api/list_shards.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "kinesis/api/limits.h"
#include "kinesis/streams/open_stream.h"
#include "kinesis/streams/shard_list.h"
#include "kinesis/streams/token.h"

// docs/service/kinesis-data-streams.md section 2.
namespace dinette::kinesis::ops {
namespace {

/// Which shards a request wants, of which stream.
struct ShardPage {
  std::optional<std::string> stream;
  std::optional<std::string> arn;
  store::TableId table = 0;  ///< of the stream, if it is the page of a token
  std::int64_t after = before_all_shards;
  std::optional<api::ShardFilter> filter;
};

std::string page_after(const Context& context, const OpenStream& stream,
                       const std::optional<api::ShardFilter>& filter, std::int64_t after) {
  TokenWriter token(TokenKind::shards_page);
  token.add(aws::Timestamp(context.now));
  token.add(stream.table->id);
  token.add(static_cast<std::uint64_t>(after));
  token.add(filter ? to_string(filter->type) : std::string_view());
  token.add(filter && filter->shard_id ? std::string_view(*filter->shard_id) : std::string_view());
  token.add(filter ? filter->timestamp.value_or(aws::Timestamp()) : aws::Timestamp());
  token.add(stream.table->name);
  return token.text();
}

Answer<ShardPage> page_in_token(const Context& context, std::string_view text) {
  auto token = TokenReader::open(TokenKind::shards_page, text);
  if (!token) return invalid_argument("NextToken is not valid.");
  const aws::Timestamp issued = token->time();
  ShardPage page;
  page.table = token->number();
  page.after = static_cast<std::int64_t>(token->number());
  api::ShardFilter filter;
  const std::string type = token->text();
  filter.shard_id = token->text();
  filter.timestamp = token->time();
  page.stream = token->text();
  if (from_string(type, filter.type)) page.filter = filter;
  if (!token->complete()) return invalid_argument("NextToken is not valid.");
  DINETTE_CHECK(check_token_age(context, issued));
  return page;
}

/// A token says all: whose shards, which of them, and from where on.
Answer<void> check_alone(const api::ListShardsInput& input) {
  const auto refused = [](std::string_view member) {
    return invalid_argument("NextToken and " + std::string(member) + " cannot be provided together.");
  };
  if (input.stream_name) return refused("StreamName");
  if (input.stream_arn) return refused("StreamARN");
  if (input.exclusive_start_shard_id) return refused("ExclusiveStartShardId");
  if (input.stream_creation_timestamp) return refused("StreamCreationTimestamp");
  if (input.shard_filter) return refused("ShardFilter");
  return {};
}

Answer<ShardPage> page_of(const Context& context, const api::ListShardsInput& input) {
  if (input.next_token) {
    DINETTE_CHECK(check_alone(input));
    return page_in_token(context, *input.next_token);
  }
  if (!input.stream_name && !input.stream_arn)
    return invalid_argument("Either NextToken or StreamName should be provided.");
  ShardPage page{input.stream_name, input.stream_arn, 0, before_all_shards, input.shard_filter};
  if (input.exclusive_start_shard_id) {
    DINETTE_TRY(const std::string name, name_of({input.stream_name, input.stream_arn}));
    DINETTE_TRY(page.after, shard_number(context, name, *input.exclusive_start_shard_id));
  }
  return page;
}

/// Refuses the token of an earlier stream of the same name.
Answer<void> check_same(const Context& context, const OpenStream& stream, const ShardPage& page) {
  if (page.table == 0 || page.table == stream.table->id) return {};
  return stream_not_found(stream.table->name, context.account);
}

}  // namespace

Answer<api::ListShardsOutput> list_shards(const Context& context, api::ListShardsInput&& input) {
  DINETTE_TRY(const ShardPage page, page_of(context, input));
  DINETTE_TRY(const OpenStream stream, open_stream(context, {page.stream, page.arn}));
  DINETTE_CHECK(check_same(context, stream, page));
  DINETTE_TRY(const ShardRecords shards, filtered_shards(context, stream.record(), page.filter));
  const auto limit = std::min(static_cast<std::size_t>(input.max_results), model::limits::listed_shards);
  api::ListShardsOutput output;
  if (kinesis::list_shards(shards, page.after, limit, output.shards)) {
    DINETTE_TRY(const std::int64_t last,
                shard_number(context, stream.record().name, output.shards.back().shard_id));
    output.next_token = page_after(context, stream, page.filter, last);
  }
  return output;
}

}  // namespace dinette::kinesis::ops
