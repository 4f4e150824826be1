#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tablestore/table.h"

namespace dinette::tablestore::test {

using Lines = std::vector<std::string>;

/// A table `T` with tunnels.
class Tunneled {
 public:
  /// `split_points`: the partition keys at which the ranges of the table begin.
  explicit Tunneled(std::shared_ptr<kv::Engine> engine = nullptr,
                    const std::vector<std::int64_t>& split_points = {});

  std::string put(std::int64_t gid, std::int64_t value);

  /// Creates a tunnel `U` and returns its id.
  std::string create(api::TunnelType type, std::optional<api::StreamTunnelConfig> config = {},
                     std::string_view name = "U");
  std::string create_refusal(api::TunnelType type, std::optional<api::StreamTunnelConfig> config = {},
                             std::string_view name = "U");
  api::DescribeTunnelResponse describe(std::string_view name = "U");
  /// The channels: "BaseData WAIT -"; the client is left out but for whether there is one.
  Lines channels();

  Server server;
};

/// A client of a tunnel, as official ones work.
class TunnelClientOf {
 public:
  /// `timeout`: seconds.
  TunnelClientOf(Server& server, std::string tunnel, std::optional<std::int64_t> timeout = {});

  /// Sends a heartbeat, and takes the channels of the answer.
  void beat();
  std::string beat_refusal();
  const std::vector<api::Channel>& channels() const { return channels_; }
  /// Says at the next heartbeat that a channel has that status now.
  void set(std::size_t channel, api::ChannelStatus status);
  /// Reads a page of a channel, from the checkpoint or the token after the page before on. Shows records:
  /// `PUT 1,a c=5`.
  Lines read(std::size_t channel = 0);
  /// The token after the last page.
  const std::string& token() const { return token_; }
  /// Forgets it: the next page is from the checkpoint on.
  void forget_token() { token_.clear(); }
  std::string read_refusal(std::string_view token, std::size_t channel = 0);
  api::GetCheckpointResponse checkpoint(std::size_t channel = 0);
  std::string checkpoint_refusal(std::size_t channel = 0);
  /// Keeps a token; returns "200" or the refusal.
  std::string keep(std::string_view token, std::int64_t sequence, std::size_t channel = 0);
  std::string shut_down();

  const std::string& id() const { return id_; }

 private:
  api::HeartbeatRequest heartbeat() const;

  Server& server_;
  const std::string tunnel_;
  std::string id_;
  std::vector<api::Channel> channels_;
  std::string token_;
};

}  // namespace dinette::tablestore::test
