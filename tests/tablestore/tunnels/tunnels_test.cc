#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/base64.h"

#include "support/engines.h"
#include "tablestore/tunnels/channel_token.h"
#include "tablestore/tunnels/tunneled.h"

// tablestore/tunnel.md sections 1 and 2, and 3: what a tunnel needs is on the store's streams and the world's
// clock.
namespace dinette::tablestore::tunnels_test {

using namespace test;
using api::ChannelStatus;
using api::TunnelType;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr std::string_view no_tunnel = "OTSParameterInvalid: Requested tunnel does not exist.";
constexpr std::string_view no_table = "OTSParameterInvalid: Requested table does not exist.";
constexpr std::string_view expired = "OTSTunnelExpired: The stream data of the tunnel has expired.";
constexpr std::string_view bad_token = "OTSParameterInvalid: Invalid token.";

std::string gone(const TunnelClientOf& client) {
  return "OTSResourceGone: The client '" + client.id() + "' does not exist, or its heartbeat has timed out.";
}

std::vector<std::string> names(Server& server, std::optional<std::string_view> table = {}) {
  std::vector<std::string> listed;
  for (const auto& tunnel :
       server.ok<api::ListTunnelResponse>("tunnel/list", api::ListTunnelRequest{.table_name = table}).tunnels)
    listed.push_back(tunnel.table_name + "/" + *tunnel.tunnel_name);
  return listed;
}

std::string erase(Server& server, std::string_view table, std::string_view name) {
  return server.refusal("tunnel/delete", api::DeleteTunnelRequest{.table_name = table, .tunnel_name = name});
}

TEST_CASE("a tunnel is created, described, listed and deleted") {
  Tunneled rows;
  const std::string id = rows.create(TunnelType::base_and_stream);
  const auto described = rows.describe();
  CHECK(described.tunnel.tunnel_id == id);
  CHECK(described.tunnel.tunnel_type == "BaseAndStream");
  CHECK(described.tunnel.table_name == "T");
  CHECK(described.tunnel.instance_name == "inst");
  CHECK(described.tunnel.stage == "ProcessBaseData");
  CHECK(described.tunnel.expired == false);
  CHECK(described.tunnel.create_time == to_nanoseconds(rows.server.clock().now()));
  CHECK_FALSE(described.tunnel.stream_tunnel_config);
  CHECK(rows.channels() == Lines{"BaseData WAIT -"});
  CHECK(described.tunnel_rpo == 0);

  rows.create(TunnelType::base_data, {}, "V");
  rows.server.create("W");
  CHECK(names(rows.server, "T") == Lines{"T/U", "T/V"});
  CHECK(names(rows.server, "W").empty());
  CHECK(names(rows.server) == Lines{"T/U", "T/V"});

  CHECK(erase(rows.server, "T", "U") == "200");
  CHECK(erase(rows.server, "T", "U") == no_tunnel);
  CHECK(names(rows.server, "T") == Lines{"T/V"});
  CHECK(rows.server.refusal("tunnel/connect", api::ConnectTunnelRequest{.tunnel_id = id}) == no_tunnel);
}

TEST_CASE("a tunnel of a stream enables it, and one of base data does not") {
  Tunneled rows;
  const auto details = [&] {
    return rows.server
        .ok<api::DescribeTableResponse>("DescribeTable", api::DescribeTableRequest{.table_name = "T"})
        .stream_details.value();
  };
  rows.create(TunnelType::base_data);
  CHECK_FALSE(details().enable_stream);
  CHECK(rows.describe().tunnel.stream_id.empty());
  rows.create(TunnelType::stream, {}, "V");
  CHECK(details().enable_stream);
  CHECK(details().expiration_time == 168);
  CHECK(rows.describe("V").tunnel.stream_id == details().stream_id);
  CHECK(rows.describe("V").tunnel.stage == "ProcessStream");
}

TEST_CASE("requests about tunnels that cannot be are refused") {
  Tunneled rows;
  rows.create(TunnelType::stream);
  CHECK(rows.create_refusal(TunnelType::stream) == "OTSTunnelExist: Requested tunnel already exists.");
  CHECK(rows.create_refusal(TunnelType::stream, {}, "") == "OTSParameterInvalid: Invalid tunnel name: ''.");
  CHECK(rows.server.refusal("tunnel/list", api::ListTunnelRequest{.table_name = "none"}) == no_table);
  CHECK(erase(rows.server, "none", "U") == no_table);
  for (const std::string_view id : {"", "x", "1", "1-", "99999999999999999999-1"})
    CHECK(rows.server.refusal("tunnel/connect", api::ConnectTunnelRequest{.tunnel_id = id}) == no_tunnel);
  for (int i = 1; i < 100; ++i) rows.create(TunnelType::base_data, {}, "U" + std::to_string(i));
  CHECK(rows.create_refusal(TunnelType::base_data, {}, "more") ==
        "OTSParameterInvalid: Number of tunnels of a table exceeds the quota:100.");
}

TEST_CASE("the requests of tunnels have paths of their own") {
  Server server;
  CHECK(server.refusal("CreateTunnel", api::ListTunnelRequest{})
            .find("Unsupported operation: 'CreateTunnel'.") != std::string::npos);
  CHECK(server.refusal("tunnel/list", api::ListTunnelRequest{}) == "200");
  CHECK(
      server.refusal("tunnel/none", api::ListTunnelRequest{}).find("Unsupported operation: 'tunnel/none'.") !=
      std::string::npos);
}

TEST_CASE("a client reads all rows, and then what is written") {
  Tunneled rows;
  CHECK(rows.put(1, 10) == "200");
  CHECK(rows.put(2, 20) == "200");
  TunnelClientOf client(rows.server, rows.create(TunnelType::base_and_stream));
  CHECK(rows.put(3, 30) == "200");  // is in both
  client.beat();
  REQUIRE(client.channels().size() == 1);
  CHECK(client.channels()[0].status == ChannelStatus::open);
  CHECK(rows.channels() == Lines{"BaseData OPEN client"});
  CHECK(client.read() == Lines{"PUT 1,a c=10", "PUT 2,a c=20", "PUT 3,a c=30"});
  CHECK(client.token() == "finished");
  CHECK(client.read().empty());
  CHECK(client.keep("finished", 1) == "200");
  CHECK(client.checkpoint().checkpoint == "finished");
  CHECK(client.checkpoint().sequence_number == 1);

  client.set(0, ChannelStatus::terminated);
  client.beat();
  CHECK(rows.channels() == Lines{"BaseData TERMINATED -", "Stream OPEN client"});
  CHECK(rows.describe().tunnel.stage == "ProcessStream");
  REQUIRE(client.channels().size() == 1);
  client.forget_token();
  CHECK(client.read() == Lines{"PUT 3,a c=30"});
  CHECK(client.read().empty());
  CHECK(rows.put(1, 11) == "200");
  CHECK(client.read() == Lines{"PUT 1,a c=11"});
}

TEST_CASE("the tokens of clients tell base data from streams") {
  Tunneled rows;
  CHECK(rows.put(1, 1) == "200");
  TunnelClientOf base(rows.server, rows.create(TunnelType::base_data));
  base.beat();
  const auto first = ChannelToken::decode(base.checkpoint().checkpoint);
  REQUIRE(first);
  CHECK_FALSE(first->iterator);
  TunnelClientOf stream(rows.server, rows.create(TunnelType::stream, {}, "V"));
  stream.beat();
  const auto token = ChannelToken::decode(stream.checkpoint().checkpoint);
  REQUIRE(token);
  CHECK(token->iterator);
  CHECK(base.read_refusal(stream.checkpoint().checkpoint) == bad_token);
  CHECK(stream.read_refusal(base.checkpoint().checkpoint) == bad_token);
  for (const std::string_view text : {"", "x", "end", "CAISAA==", "AAAA"}) {
    CHECK(stream.read_refusal(text) == bad_token);
    CHECK(stream.keep(text, 1) == bad_token);
  }
  const std::string of_no_key = ChannelToken{.next_row = "x"}.encode();
  CHECK(base.read_refusal(of_no_key) == bad_token);
  const std::string of_another_key = ChannelToken{.next_row = row_bytes({{"x", Value::integer(1)}})}.encode();
  CHECK(base.read_refusal(of_another_key) == bad_token);
}

TEST_CASE("the number of records that were read is counted") {
  Tunneled rows;
  for (int i = 1; i <= 1'001; ++i) REQUIRE(rows.put(i, i) == "200");
  TunnelClientOf client(rows.server, rows.create(TunnelType::base_data));
  client.beat();
  CHECK(client.read().size() == 1'000);
  CHECK(client.keep(client.token(), 1) == "200");
  CHECK(rows.describe().channels[0].channel_count == 1'000);
  CHECK(client.read() == Lines{"PUT 1001,a c=1001"});
  CHECK(client.token() == "finished");
}

TEST_CASE("a checkpoint needs the next number") {
  Tunneled rows;
  TunnelClientOf client(rows.server, rows.create(TunnelType::stream));
  client.beat();
  const std::string start = client.checkpoint().checkpoint;
  CHECK(client.checkpoint().sequence_number == 0);
  CHECK(client.keep(start, 0) == "OTSSequenceNumberNotMatch: The sequence number is 0, but 1 is expected.");
  CHECK(client.keep(start, 2) == "OTSSequenceNumberNotMatch: The sequence number is 2, but 1 is expected.");
  CHECK(client.keep(start, 1) == "200");
  CHECK(client.keep(start, 1) == "OTSSequenceNumberNotMatch: The sequence number is 1, but 2 is expected.");
  CHECK(client.keep(start, 2) == "200");
}

TEST_CASE("the next client goes on at the checkpoint") {
  Tunneled rows;
  const std::string tunnel = rows.create(TunnelType::stream);
  TunnelClientOf first(rows.server, tunnel);
  first.beat();
  CHECK(rows.put(1, 1) == "200");
  CHECK(first.read() == Lines{"PUT 1,a c=1"});
  CHECK(first.keep(first.token(), 1) == "200");
  CHECK(rows.put(2, 2) == "200");
  CHECK(first.read() == Lines{"PUT 2,a c=2"});
  CHECK(first.shut_down() == "200");
  CHECK(first.shut_down() == gone(first));
  CHECK(rows.channels() == Lines{"Stream WAIT -"});

  TunnelClientOf second(rows.server, tunnel);
  second.beat();
  CHECK(second.read() == Lines{"PUT 2,a c=2"});
}

TEST_CASE("a client without heartbeats loses its channels after its timeout") {
  Tunneled rows;
  const std::string tunnel = rows.create(TunnelType::stream);
  TunnelClientOf silent(rows.server, tunnel, 60);
  silent.beat();
  TunnelClientOf other(rows.server, tunnel);
  other.beat();
  CHECK(other.channels().empty());
  const std::int64_t version = silent.channels()[0].version;
  rows.server.advance(seconds(60) - std::chrono::microseconds(1));
  CHECK(silent.checkpoint_refusal() == "200");
  other.beat();
  CHECK(other.channels().empty());
  rows.server.advance(std::chrono::microseconds(1));
  CHECK(rows.channels() == Lines{"Stream WAIT -"});
  other.beat();
  REQUIRE(other.channels().size() == 1);
  CHECK(other.channels()[0].version > version);
  CHECK(silent.beat_refusal() == gone(silent));
  CHECK(silent.checkpoint_refusal() == gone(silent));
  CHECK(silent.read_refusal("finished") == gone(silent));
}

TEST_CASE("a client has 300 seconds unless it says otherwise") {
  Tunneled rows;
  TunnelClientOf client(rows.server, rows.create(TunnelType::stream));
  rows.server.advance(seconds(299));
  client.beat();
  rows.server.advance(seconds(300));
  CHECK(client.beat_refusal() == gone(client));
}

TEST_CASE("channels are key ranges, and are divided among clients") {
  Tunneled rows(nullptr, {10, 20, 30});
  for (const int gid : {5, 10, 15, 20, 25, 30, 35}) REQUIRE(rows.put(gid, gid) == "200");
  const std::string tunnel = rows.create(TunnelType::base_data);
  TunnelClientOf first(rows.server, tunnel);
  first.beat();
  REQUIRE(first.channels().size() == 4);
  Lines read;
  for (std::size_t i = 0; i < 4; ++i) {
    first.forget_token();
    for (const std::string& line : first.read(i)) read.push_back(std::to_string(i) + ": " + line);
  }
  CHECK(read == Lines{"0: PUT 5,a c=5", "1: PUT 10,a c=10", "1: PUT 15,a c=15", "2: PUT 20,a c=20",
                      "2: PUT 25,a c=25", "3: PUT 30,a c=30", "3: PUT 35,a c=35"});

  TunnelClientOf second(rows.server, tunnel);
  second.beat();  // asks for two
  CHECK(second.channels().empty());
  first.beat();
  std::vector<std::size_t> closing;
  for (std::size_t i = 0; i < first.channels().size(); ++i)
    if (first.channels()[i].status == ChannelStatus::closing) closing.push_back(i);
  REQUIRE(closing.size() == 2);
  second.beat();
  CHECK(second.channels().empty());  // they are not closed yet
  for (const std::size_t i : closing) first.set(i, ChannelStatus::close);
  first.beat();
  CHECK(first.channels().size() == 2);
  second.beat();
  REQUIRE(second.channels().size() == 2);
  CHECK(second.channels()[0].status == ChannelStatus::open);
  CHECK(second.checkpoint_refusal() == "200");
  first.beat();
  CHECK(first.channels().size() == 2);
}

TEST_CASE("a client may not use channels of others, nor old reports") {
  Tunneled rows;
  const std::string tunnel = rows.create(TunnelType::stream);
  TunnelClientOf first(rows.server, tunnel);
  TunnelClientOf second(rows.server, tunnel);
  first.beat();
  second.beat();
  CHECK(rows.server.refusal("tunnel/getcheckpoint",
                            api::GetCheckpointRequest{.tunnel_id = tunnel,
                                                      .client_id = second.id(),
                                                      .channel_id = first.channels()[0].channel_id}) ==
        "OTSParameterInvalid: The channel '" + first.channels()[0].channel_id +
            "' is not open for this client.");
  api::HeartbeatRequest report{.tunnel_id = tunnel, .client_id = second.id(), .channels = first.channels()};
  report.channels[0].status = ChannelStatus::terminated;
  report.channels[0].version += 10;
  CHECK(rows.server.refusal("tunnel/heartbeat", report) == "200");
  CHECK(rows.channels() == Lines{"Stream OPEN client"});
  report.client_id = first.id();
  report.channels[0].version -= 10;  // no newer than what the server knows
  CHECK(rows.server.refusal("tunnel/heartbeat", report) == "200");
  CHECK(rows.channels() == Lines{"Stream OPEN client"});
}

TEST_CASE("a tunnel has at most 1,000 clients") {
  Tunneled rows;
  const std::string tunnel = rows.create(TunnelType::stream);
  const api::ConnectTunnelRequest connect{.tunnel_id = tunnel};
  for (int i = 0; i < 1'000; ++i) REQUIRE(rows.server.refusal("tunnel/connect", connect) == "200");
  CHECK(rows.server.refusal("tunnel/connect", connect) ==
        "OTSParameterInvalid: Number of clients of a tunnel exceeds the quota:1000.");
  rows.server.advance(seconds(300));  // until they are silent
  CHECK(rows.server.refusal("tunnel/connect", connect) == "200");
}

TEST_CASE("reports and tokens whose numbers are too large do not count") {
  Tunneled rows;
  const std::string tunnel = rows.create(TunnelType::stream);
  TunnelClientOf client(rows.server, tunnel);
  client.beat();
  api::HeartbeatRequest report{.tunnel_id = tunnel, .client_id = client.id(), .channels = client.channels()};
  report.channels[0].status = ChannelStatus::close;
  const std::int64_t version = client.channels()[0].version;
  for (const std::int64_t end : {std::numeric_limits<std::int64_t>::max(), std::int64_t{INT32_MAX}}) {
    report.channels[0].version = end;
    CHECK(rows.server.refusal("tunnel/heartbeat", report) == "200");
    client.beat();
    CHECK(client.channels()[0].version == version);
  }
  report.channels[0].version = INT32_MAX - 1;
  CHECK(rows.server.refusal("tunnel/heartbeat", report) == "200");
  client.beat();
  CHECK(client.channels()[0].version == INT32_MAX);

  client.read();
  const std::string bytes = base::base64_decode(client.token()).value();
  const auto token = codec::decode_message<api::TunnelToken>(bytes).value();
  auto content = codec::decode_message<api::TunnelTokenContent>(token.content).value();
  const auto with_count = [&](std::int64_t count) {
    content.total_count = count;
    return base::base64_encode(codec::encode_message(
        api::TunnelToken{.version = token.version, .content = codec::encode_message(content)}));
  };
  for (const std::int64_t count :
       {std::int64_t{-1}, std::int64_t{1} << 56, std::numeric_limits<std::int64_t>::max()}) {
    CHECK(client.keep(with_count(count), 1) == bad_token);
    CHECK(client.read_refusal(with_count(count)) == bad_token);
  }
  content.primary_key = std::string(20'000, 'x');
  CHECK(client.keep(with_count(1), 1) == bad_token);
  content.primary_key.reset();
  CHECK(client.keep(with_count(1), 1) == "200");
}

TEST_CASE("a channel that a client has closed is opened again") {
  Tunneled rows;
  TunnelClientOf client(rows.server, rows.create(TunnelType::stream));
  client.beat();
  const std::int64_t version = client.channels()[0].version;
  client.set(0, ChannelStatus::close);
  client.beat();
  REQUIRE(client.channels().size() == 1);
  CHECK(client.channels()[0].status == ChannelStatus::open);
  CHECK(client.channels()[0].version == version + 2);
}

TEST_CASE("a stream is read from its beginning, its end, or a time, to a time") {
  Tunneled rows;
  rows.create(TunnelType::stream);
  CHECK(rows.put(1, 1) == "200");
  rows.server.advance(seconds(1));
  const base::TimePoint second = rows.server.clock().now();
  CHECK(rows.put(2, 2) == "200");
  rows.server.advance(seconds(1));
  const base::TimePoint third = rows.server.clock().now();
  CHECK(rows.put(3, 3) == "200");
  const auto read = [&](std::string_view name, api::StreamTunnelConfig config) {
    TunnelClientOf client(rows.server, rows.create(TunnelType::stream, config, name));
    client.beat();
    Lines lines = client.read();
    if (client.token() == "finished") lines.push_back("finished");
    return lines;
  };
  CHECK(read("latest", {.flag = api::StartOffsetFlag::latest}).empty());
  CHECK(read("earliest", {.flag = api::StartOffsetFlag::earliest}) ==
        Lines{"PUT 1,a c=1", "PUT 2,a c=2", "PUT 3,a c=3"});
  CHECK(read("start", {.start_offset = to_nanoseconds(second)}) == Lines{"PUT 2,a c=2", "PUT 3,a c=3"});
  CHECK(read("both", {.start_offset = to_nanoseconds(second), .end_offset = to_nanoseconds(third)}) ==
        Lines{"PUT 2,a c=2", "finished"});
  const auto config = rows.describe("both").tunnel.stream_tunnel_config;
  REQUIRE(config);
  CHECK(config->start_offset == to_nanoseconds(second));
  CHECK(config->end_offset == to_nanoseconds(third));
}

TEST_CASE("offsets are within what a stream keeps") {
  Tunneled rows;
  rows.create(TunnelType::stream);
  const base::TimePoint now = rows.server.clock().now();
  const auto create = [&](std::optional<std::int64_t> start, std::optional<std::int64_t> end,
                          std::string_view name) {
    return rows.create_refusal(TunnelType::stream,
                               api::StreamTunnelConfig{.start_offset = start, .end_offset = end}, name);
  };
  const std::int64_t oldest = to_nanoseconds(now - hours(168) + minutes(5));
  CHECK(create(oldest, {}, "oldest") == "200");
  CHECK(create(oldest - 1'000, {}, "older") ==
        "OTSParameterInvalid: Invalid start offset: " + std::to_string(oldest - 1'000) + ".");
  CHECK(create(to_nanoseconds(now), {}, "now") == "200");
  const std::int64_t later = to_nanoseconds(now) + 1'000;
  CHECK(create(later, {}, "later") ==
        "OTSParameterInvalid: Invalid start offset: " + std::to_string(later) + ".");
  CHECK(create(oldest, oldest, "empty") ==
        "OTSParameterInvalid: Invalid end offset: " + std::to_string(oldest) + ".");
}

TEST_CASE("a tunnel expires with the records that it has not read") {
  Tunneled rows;
  const std::string tunnel = rows.create(TunnelType::stream);
  TunnelClientOf client(rows.server, tunnel, 1'000'000);
  client.beat();
  CHECK(rows.put(1, 1) == "200");
  const std::string old_token = client.checkpoint().checkpoint;
  rows.server.advance(hours(100));
  CHECK(client.read() == Lines{"PUT 1,a c=1"});
  CHECK(client.keep(client.token(), 1) == "200");
  CHECK(rows.describe().channels[0].channel_rpo == to_nanoseconds(rows.server.clock().now()));
  rows.server.advance(hours(69));
  CHECK(client.beat_refusal() == "200");
  // The reader that has not got on is what D26 of tablestore/streams.md section 2 has words for.
  CHECK(
      client.read_refusal(old_token) ==
      "OTSTunnelServerUnavailable: OTSTrimmedDataAccess Requested stream data is already trimmed or does not "
      "exist.");
  rows.server.advance(hours(100));
  CHECK(rows.describe().tunnel.expired == true);
  CHECK(client.beat_refusal() == expired);
  CHECK(client.read_refusal(client.token()) == expired);
  CHECK(rows.server.refusal("tunnel/connect", api::ConnectTunnelRequest{.tunnel_id = tunnel}) == expired);
}

TEST_CASE("base data are read for as long as it takes, and the tunnel expires at its stream") {
  Tunneled rows;
  CHECK(rows.put(1, 1) == "200");
  const std::string tunnel = rows.create(TunnelType::base_and_stream);
  TunnelClientOf client(rows.server, tunnel, 1'000'000);
  CHECK(rows.put(2, 2) == "200");
  rows.server.advance(hours(200));
  CHECK(rows.describe().tunnel.expired == false);
  client.beat();
  CHECK(client.read() == Lines{"PUT 1,a c=1", "PUT 2,a c=2"});
  CHECK(client.keep(client.token(), 1) == "200");
  client.set(0, ChannelStatus::terminated);
  client.beat();
  CHECK(client.beat_refusal() == expired);
  CHECK(rows.describe().tunnel.expired == true);
  CHECK(rows.server.refusal("tunnel/connect", api::ConnectTunnelRequest{.tunnel_id = tunnel}) == expired);
}

TEST_CASE("a tunnel expires when its stream is switched off") {
  Tunneled rows;
  const std::string tunnel = rows.create(TunnelType::base_and_stream);
  api::UpdateTableRequest request{.table_name = "T"};
  request.stream_spec = api::StreamSpecification{.enable_stream = false};
  CHECK(rows.server.refusal("UpdateTable", request) == "200");
  CHECK(rows.describe().tunnel.expired == true);
  CHECK(rows.server.refusal("tunnel/connect", api::ConnectTunnelRequest{.tunnel_id = tunnel}) == expired);
}

TEST_CASE("the tunnels of a table go with it") {
  Tunneled rows;
  const std::string tunnel = rows.create(TunnelType::base_and_stream);
  rows.server.ok<api::DeleteTableResponse>("DeleteTable", api::DeleteTableRequest{.table_name = "T"});
  CHECK(names(rows.server).empty());
  rows.server.create("T");
  CHECK(names(rows.server, "T").empty());
  CHECK(rows.server.refusal("tunnel/connect", api::ConnectTunnelRequest{.tunnel_id = tunnel}) == no_tunnel);
}

TEST_CASE("another instance does not see a tunnel") {
  Tunneled rows;
  const std::string tunnel = rows.create(TunnelType::base_data);
  Request request = rows.server.request(
      "tunnel/connect", codec::encode_message(api::ConnectTunnelRequest{.tunnel_id = tunnel}));
  for (auto& [name, value] : request.headers)
    if (name == "x-ots-instancename") value = "other";
  Server::sign(request);
  CHECK(rows.server.send(request).refusal() == no_tunnel);
}

TEST_CASE("tunnels, clients and checkpoints survive a restart") {
  const auto engine = ::test::make_test_engine();
  std::string tunnel;
  std::string client;
  std::string channel;
  std::string kept;
  {
    Tunneled rows(engine);
    tunnel = rows.create(TunnelType::stream);
    TunnelClientOf first(rows.server, tunnel);
    first.beat();
    CHECK(rows.put(1, 1) == "200");
    CHECK(first.read() == Lines{"PUT 1,a c=1"});
    kept = first.token();
    CHECK(first.keep(kept, 1) == "200");
    client = first.id();
    channel = first.channels()[0].channel_id;
  }
  Server server({}, engine);
  const auto checkpoint = server.ok<api::GetCheckpointResponse>(
      "tunnel/getcheckpoint",
      api::GetCheckpointRequest{.tunnel_id = tunnel, .client_id = client, .channel_id = channel});
  CHECK(checkpoint.checkpoint == kept);
  CHECK(checkpoint.sequence_number == 1);
}

/// Asks for a status of the only channel.
std::string schedule(Tunneled& rows, const std::string& tunnel, ChannelStatus status) {
  api::ScheduleTunnelRequest request{.tunnel_id = tunnel};
  request.channels.push_back({.channel_id = rows.describe().channels.at(0).channel_id, .status = status});
  return rows.server.refusal("tunnel/schedule", request);
}

TEST_CASE("a channel is suspended, and resumed") {
  Tunneled rows;
  rows.put(1, 10);
  const std::string id = rows.create(TunnelType::base_data);
  TunnelClientOf client(rows.server, id);
  client.beat();
  CHECK(rows.channels() == Lines{"BaseData OPEN client"});
  const std::int64_t version = client.channels()[0].version;
  CHECK(schedule(rows, id, ChannelStatus::closing) == "200");
  client.beat();
  REQUIRE(client.channels().size() == 1);
  CHECK(client.channels()[0].status == ChannelStatus::closing);
  CHECK(client.channels()[0].version == version + 1);
  client.set(0, ChannelStatus::close);
  client.beat();
  CHECK(client.channels().empty());
  client.beat();
  CHECK(client.channels().empty());
  CHECK(rows.channels() == Lines{"BaseData CLOSING -"});
  CHECK(schedule(rows, id, ChannelStatus::open) == "200");
  CHECK(rows.channels() == Lines{"BaseData WAIT -"});
  client.beat();
  CHECK(client.read() == Lines{"PUT 1,a c=10"});
}

TEST_CASE("a channel that was suspended stays so when its client is silent, and after a restart") {
  const auto engine = ::test::make_test_engine();
  {
    Tunneled rows(engine);
    const std::string id = rows.create(TunnelType::base_data);
    TunnelClientOf client(rows.server, id, 10);
    client.beat();
    CHECK(schedule(rows, id, ChannelStatus::closing) == "200");
    CHECK(schedule(rows, id, ChannelStatus::open) == "200");  // before the client has closed it
    CHECK(rows.channels() == Lines{"BaseData OPEN client"});
    CHECK(schedule(rows, id, ChannelStatus::closing) == "200");
    rows.server.advance(std::chrono::seconds(11));
    CHECK(rows.channels() == Lines{"BaseData CLOSING -"});
  }
  Server again({}, engine);
  const auto described = again.ok<api::DescribeTunnelResponse>(
      "tunnel/describe", api::DescribeTunnelRequest{.table_name = "T", .tunnel_name = "U"});
  TunnelClientOf client(again, described.tunnel.tunnel_id);
  client.beat();
  CHECK(client.channels().empty());
}

TEST_CASE("a channel is ended, and is no more scheduled then") {
  Tunneled rows;
  rows.put(1, 10);
  const std::string id = rows.create(TunnelType::base_and_stream);
  TunnelClientOf client(rows.server, id);
  client.beat();
  const std::string channel = client.channels()[0].channel_id;
  CHECK(schedule(rows, id, ChannelStatus::terminated) == "200");
  CHECK(rows.describe().tunnel.stage == "ProcessStream");
  const auto refused = [&](std::string_view channel_id) {
    api::ScheduleTunnelRequest request{.tunnel_id = id};
    request.channels.push_back({.channel_id = std::string(channel_id), .status = ChannelStatus::open});
    return rows.server.refusal("tunnel/schedule", request);
  };
  CHECK(refused(channel) ==
        "OTSParameterInvalid: The channel '" + channel + "' does not exist, or has been read to its end.");
  CHECK(refused("none") ==
        "OTSParameterInvalid: The channel 'none' does not exist, or has been read to its end.");
  CHECK(rows.server.refusal("tunnel/schedule", api::ScheduleTunnelRequest{.tunnel_id = "x"}) == no_tunnel);
}

TEST_CASE("a tunnel says how far it has been read") {
  Tunneled rows;
  const std::string id = rows.create(TunnelType::stream);
  TunnelClientOf client(rows.server, id);
  rows.put(1, 10);
  client.beat();
  CHECK(client.read() == Lines{"PUT 1,a c=10"});
  CHECK(client.keep(client.token(), 1) == "200");
  rows.server.advance(std::chrono::seconds(5));
  const auto described = rows.describe();
  CHECK(described.channels.at(0).channel_count == 1);
  const std::string point = ",\"RpoTime\":" + std::to_string(described.channels[0].channel_rpo.value());
  const std::string heard = "\"TotalCount\":1,\"AccessTime\":" +
                            std::to_string(to_nanoseconds(rows.server.clock().now()) - 5'000'000'000);
  const auto points =
      rows.server.ok<api::GetRpoResponse>("tunnel/getrpo", api::GetRpoRequest{.tunnel_id = id});
  CHECK(points.rpo_infos.value_or("") == "{\"" + id + "\":{\"" + client.channels()[0].channel_id +
                                             "\":{\"ChannelTyp\":\"Stream\",\"Status\":\"OPEN\"," + heard +
                                             point + "}}}");
  CHECK(points.tunnel_rpo_infos.value_or("") ==
        "{\"" + id + "\":{\"Status\":\"ProcessStream\"," + heard + point + "}}");
  const auto by_offset = rows.server.ok<api::GetRpoByOffsetResponse>(
      "tunnel/getrpobyoffset", api::GetRpoByOffsetRequest{.tunnel_id = id});
  CHECK(by_offset.tunnel_id == id);
  CHECK(by_offset.rpo_infos == points.rpo_infos);
  CHECK(by_offset.tunnel_rpo_infos == points.tunnel_rpo_infos);
  CHECK(rows.server.refusal("tunnel/getrpo", api::GetRpoRequest{}) == no_tunnel);
}

}  // namespace dinette::tablestore::tunnels_test
