#pragma once

#include <string_view>
#include <vector>

#include "tablestore/tunnels/tunnel.h"

/// How the channels of a tunnel are divided among its clients (tablestore/tunnel.md section 2): evenly. A
/// client that has more than its part is asked to close channels, which it does until its next heartbeat.
namespace dinette::tablestore {

/// Removes the clients that have sent no heartbeat for as long as they said. Their channels have no client
/// then.
void remove_silent_clients(Tunnel& tunnel, base::TimePoint now);

void remove_client(Tunnel& tunnel, std::string_view client_id);

/// Takes what a client says of its channels: which it has closed, and which it has read to their end.
void take_report(Tunnel& tunnel, std::string_view client_id, const std::vector<api::Channel>& reported);

/// Gives a client channels that have none, and asks others to close some for it.
void assign_channels(Tunnel& tunnel, std::string_view client_id);

/// Does what was asked of a channel that has not been terminated: has its client close it, and no other get
/// it, gives it free again, or terminates it.
void schedule(TunnelChannel& channel, api::ChannelStatus status);

/// Returns the channels of a client.
std::vector<api::Channel> channels_of(const Tunnel& tunnel, std::string_view client_id);

}  // namespace dinette::tablestore
