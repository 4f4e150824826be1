#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/store/placement.h"

#include "tablestore/api/messages.h"

/// What is kept of tunnels (tablestore/tunnel.md).
namespace dinette::tablestore {

/// Rows of a table, or its stream: what one client at a time reads of a tunnel.
struct TunnelChannel {
  std::string id;
  bool of_stream = false;
  store::KeyRange rows = {};  ///< of base data
  /// Close: no client has it. Terminated: it has been read to its end.
  api::ChannelStatus status = api::ChannelStatus::close;
  std::int64_t version = 0;   ///< of status and client
  std::string client = {};    ///< that reads it; empty: none
  std::string checkpoint;     ///< the token from which on the next client reads
  std::int64_t sequence = 0;  ///< how often the checkpoint has been moved
  bool suspended = false;     ///< no client gets it: it is closing, or its status remains that

  bool terminated() const { return status == api::ChannelStatus::terminated; }
};

struct TunnelClient {
  std::string id;
  std::chrono::seconds timeout{0};  ///< it is gone that long after its last heartbeat
  base::TimePoint seen;             ///< when that was

  bool silent(base::TimePoint now) const { return seen + timeout <= now; }
};

struct Tunnel {
  std::string id;
  std::string name;
  std::string table_name;
  api::TunnelType type = api::TunnelType::base_data;
  base::TimePoint created;
  std::string stream_id = {};  ///< empty: without a stream
  std::optional<api::StreamTunnelConfig> config = {};
  std::vector<TunnelChannel> channels = {};
  std::vector<TunnelClient> clients = {};

  /// Returns true once all base data have been read. The channel of the stream is open from then on.
  bool at_stream() const;
  /// Returns true for a channel that clients may have now.
  bool is_open(const TunnelChannel& channel) const {
    return !channel.terminated() && !channel.suspended && channel.of_stream == at_stream();
  }
  /// Return null if there is none.
  TunnelClient* client(std::string_view client_id);
  TunnelChannel* channel(std::string_view channel_id);
};

/// Returns the name of a type in replies.
std::string_view name_of(api::TunnelType type);

}  // namespace dinette::tablestore
