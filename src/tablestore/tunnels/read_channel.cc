#include "tablestore/tunnels/read_channel.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/plainbuffer/row_reader.h"
#include "tablestore/plainbuffer/row_writer.h"
#include "tablestore/rows/key_checks.h"
#include "tablestore/rows/row_key.h"
#include "tablestore/rows/row_scan.h"
#include "tablestore/streams/shard_records.h"

namespace dinette::tablestore {
namespace {

/// Returns the rows of a channel from that of the token on.
Answer<store::KeyRange> rest_of(const TunnelChannel& channel, const OpenTable& table,
                                const ChannelToken& token) {
  store::KeyRange rest = channel.rows;
  if (token.next_row.empty()) return rest;
  const auto row = plainbuffer::decode_row(token.next_row);
  if (!row || !check_key(row->key, KeyUse::read, limits::primary_key_columns) ||
      !check_key_fits(row->key, table.meta().key))
    return refuse::invalid_tunnel_token();
  rest.begin = std::max(std::move(rest.begin), encode_key(row->key));
  return rest;
}

std::string put_record_of(const PrimaryKey& key, const Cells& cells) {
  std::string record;
  plainbuffer::RowWriter out(record);
  out.begin(key);
  for (const Cell& cell : cells) out.cell(cell.name, cell.value, cell.version);
  out.end();
  return record;
}

Answer<ChannelPage> read_rows(const Context& context, const OpenTable& table, const TunnelChannel& channel,
                              const ChannelToken& token) {
  ChannelPage page;
  page.next.count = token.count;
  DINETTE_TRY(const store::KeyRange range, rest_of(channel, table, token));
  const ReadTarget target{.table = table.table, .key = table.meta().key};
  const RowSelection everything;
  DINETTE_TABLESTORE_STORED(const store::View view, context.store.view());
  DINETTE_TABLESTORE_STORED(RowScan rows, RowScan::open(view, target, range, store::Direction::forward,
                                                        everything, context.now, nullptr));
  std::size_t bytes = 0;
  while (!range.empty()) {
    DINETTE_TABLESTORE_STORED(const bool more, rows.next());
    if (!more) break;
    if (page.records.size() == limits::stream_page_records || bytes >= limits::stream_page_bytes) {
      page.next.next_row = plainbuffer::encode_key(rows.key());
      page.more = true;
      return page;
    }
    api::StreamRecord& record = page.records.emplace_back();
    record.action_type = api::ActionType::put_row;
    record.record = put_record_of(rows.key(), rows.cells());
    bytes += record.record.size();
    ++page.next.count;
  }
  page.next.finished = true;
  return page;
}

bool has_stream(const OpenTable& table, const Tunnel& tunnel) {
  return table.meta().stream && table.meta().stream_id() == tunnel.stream_id;
}

Answer<ChannelPage> read_changes(const Context& context, const OpenTable& table, const Tunnel& tunnel,
                                 const ChannelToken& token) {
  if (token.iterator->stream_id != tunnel.stream_id) return refuse::invalid_tunnel_token();
  if (token.read_until() < oldest_record_time(context, *table.meta().stream))
    return refuse::trimmed_data_of_tunnel();
  std::optional<base::TimePoint> end;
  if (tunnel.config && tunnel.config->end_offset) end = from_nanoseconds(*tunnel.config->end_offset);
  DINETTE_TRY(RecordPage read,
              read_records(context, table, *token.iterator, limits::stream_page_records, end));
  ChannelPage page{.records = std::move(read.records), .more = read.more};
  page.next.count = token.count + static_cast<std::int64_t>(page.records.size());
  page.next.iterator = std::move(read.next);
  page.next.finished = read.ended;
  return page;
}

}  // namespace

Answer<ChannelPage> read_channel(const Context& context, const OpenTable& table, const Tunnel& tunnel,
                                 const TunnelChannel& channel, const ChannelToken& token) {
  if (token.finished) return ChannelPage{.next = token};
  if (token.iterator.has_value() != channel.of_stream) return refuse::invalid_tunnel_token();
  if (has_expired(context, table, tunnel)) return refuse::tunnel_expired();
  return channel.of_stream ? read_changes(context, table, tunnel, token)
                           : read_rows(context, table, channel, token);
}

bool has_expired(const Context& context, const OpenTable& table, const Tunnel& tunnel) {
  if (tunnel.type == api::TunnelType::base_data) return false;
  if (!has_stream(table, tunnel)) return true;
  if (!tunnel.at_stream()) return false;  // base data do not expire with the records
  const base::TimePoint oldest = oldest_record_time(context, *table.meta().stream);
  return std::ranges::any_of(tunnel.channels, [&](const TunnelChannel& channel) {
    if (!channel.of_stream || channel.terminated()) return false;
    const auto token = ChannelToken::decode(channel.checkpoint);
    return token && !token->finished && token->read_until() < oldest;
  });
}

}  // namespace dinette::tablestore
