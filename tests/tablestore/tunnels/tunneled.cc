#include "tablestore/tunnels/tunneled.h"

#include "tablestore/plainbuffer/row_reader.h"
#include "tablestore/plainbuffer/variant.h"

namespace dinette::tablestore::test {
namespace {

constexpr std::size_t extension_size = 29;  // of an epoch, a time and an index, with their tags and lengths

std::string name_of(api::ActionType action) {
  if (action == api::ActionType::put_row) return "PUT ";
  return action == api::ActionType::update_row ? "UPDATE " : "DELETE ";
}

/// Shows a record, which has an extension if it is of a stream.
std::string shown(const api::StreamRecord& record) {
  auto row = plainbuffer::decode_row(record.record);
  if (row) return name_of(record.action_type) + text_of_rows(record.record);
  std::string bytes = record.record;
  bytes.erase(bytes.size() - 2 - extension_size, extension_size);
  return name_of(record.action_type) + text_of_rows(bytes);
}

api::CreateTunnelRequest tunnel_of(api::TunnelType type, std::optional<api::StreamTunnelConfig> config,
                                   std::string_view name) {
  api::CreateTunnelRequest request;
  request.tunnel = {
      .table_name = "T", .tunnel_name = name, .tunnel_type = type, .stream_tunnel_config = config};
  return request;
}

}  // namespace

Tunneled::Tunneled(std::shared_ptr<kv::Engine> engine, const std::vector<std::int64_t>& split_points)
    : server({}, std::move(engine)) {
  api::CreateTableRequest request = table_of("T");
  std::vector<std::string> points;
  for (const std::int64_t point : split_points)
    plainbuffer::append_variant(points.emplace_back(), Value::integer(point));
  std::string least;
  plainbuffer::append_variant(least, Value::inf_min());
  for (std::size_t i = 0; i < points.size(); ++i)
    request.partitions.push_back({.begin = i == 0 ? least : points[i - 1], .end = points[i]});
  if (!points.empty()) {
    std::string most;
    plainbuffer::append_variant(most, Value::inf_max());
    request.partitions.push_back({.begin = points.back(), .end = most});
    server.ok<api::CreateTableResponse>("CreateTable", request);
    return;
  }
  server.ok<api::CreateTableResponse>("CreateTable", request);
}

std::string Tunneled::put(std::int64_t gid, std::int64_t value) {
  const std::string row = row_bytes(key(gid, "a"), {{.name = "c", .value = Value::integer(value)}});
  return server.refusal("PutRow", api::PutRowRequest{.table_name = "T", .row = row, .condition = {}});
}

std::string Tunneled::create(api::TunnelType type, std::optional<api::StreamTunnelConfig> config,
                             std::string_view name) {
  return server.ok<api::CreateTunnelResponse>("tunnel/create", tunnel_of(type, config, name)).tunnel_id;
}

std::string Tunneled::create_refusal(api::TunnelType type, std::optional<api::StreamTunnelConfig> config,
                                     std::string_view name) {
  return server.refusal("tunnel/create", tunnel_of(type, config, name));
}

api::DescribeTunnelResponse Tunneled::describe(std::string_view name) {
  return server.ok<api::DescribeTunnelResponse>(
      "tunnel/describe", api::DescribeTunnelRequest{.table_name = "T", .tunnel_name = name});
}

Lines Tunneled::channels() {
  Lines lines;
  for (const api::ChannelInfo& channel : describe().channels)
    lines.push_back(*channel.channel_type + ' ' + *channel.channel_status +
                    (channel.client_id->empty() ? " -" : " client"));
  return lines;
}

TunnelClientOf::TunnelClientOf(Server& server, std::string tunnel, std::optional<std::int64_t> timeout)
    : server_(server), tunnel_(std::move(tunnel)) {
  api::ConnectTunnelRequest request{.tunnel_id = tunnel_};
  request.client_config = api::ClientConfig{.timeout = timeout, .client_tag = "tag"};
  id_ = server_.ok<api::ConnectTunnelResponse>("tunnel/connect", request).client_id;
}

api::HeartbeatRequest TunnelClientOf::heartbeat() const {
  return {.tunnel_id = tunnel_, .client_id = id_, .channels = channels_};
}

void TunnelClientOf::beat() {
  channels_ = server_.ok<api::HeartbeatResponse>("tunnel/heartbeat", heartbeat()).channels;
}

std::string TunnelClientOf::beat_refusal() {
  return server_.refusal("tunnel/heartbeat", heartbeat());
}

void TunnelClientOf::set(std::size_t channel, api::ChannelStatus status) {
  channels_.at(channel).status = status;
  ++channels_.at(channel).version;
}

Lines TunnelClientOf::read(std::size_t channel) {
  if (token_.empty()) token_ = checkpoint(channel).checkpoint;
  const auto page = server_.ok<api::ReadRecordsResponse>(
      "tunnel/readrecords", api::ReadRecordsRequest{.tunnel_id = tunnel_,
                                                    .client_id = id_,
                                                    .channel_id = channels_.at(channel).channel_id,
                                                    .token = token_});
  token_ = page.next_token;
  Lines lines;
  for (const api::StreamRecord& record : page.records) lines.push_back(shown(record));
  return lines;
}

std::string TunnelClientOf::read_refusal(std::string_view token, std::size_t channel) {
  return server_.refusal("tunnel/readrecords",
                         api::ReadRecordsRequest{.tunnel_id = tunnel_,
                                                 .client_id = id_,
                                                 .channel_id = channels_.at(channel).channel_id,
                                                 .token = token});
}

api::GetCheckpointResponse TunnelClientOf::checkpoint(std::size_t channel) {
  return server_.ok<api::GetCheckpointResponse>(
      "tunnel/getcheckpoint",
      api::GetCheckpointRequest{
          .tunnel_id = tunnel_, .client_id = id_, .channel_id = channels_.at(channel).channel_id});
}

std::string TunnelClientOf::checkpoint_refusal(std::size_t channel) {
  return server_.refusal(
      "tunnel/getcheckpoint",
      api::GetCheckpointRequest{
          .tunnel_id = tunnel_, .client_id = id_, .channel_id = channels_.at(channel).channel_id});
}

std::string TunnelClientOf::keep(std::string_view token, std::int64_t sequence, std::size_t channel) {
  return server_.refusal("tunnel/checkpoint",
                         api::CheckpointRequest{.tunnel_id = tunnel_,
                                                .client_id = id_,
                                                .channel_id = channels_.at(channel).channel_id,
                                                .checkpoint = token,
                                                .sequence_number = sequence});
}

std::string TunnelClientOf::shut_down() {
  return server_.refusal("tunnel/shutdown",
                         api::ShutdownTunnelRequest{.tunnel_id = tunnel_, .client_id = id_});
}

}  // namespace dinette::tablestore::test
