#include "tablestore/api/checkpoint.h"

#include "tablestore/api/refusals.h"
#include "tablestore/tunnels/channel_token.h"
#include "tablestore/tunnels/kept_tunnels.h"

// tablestore/tunnel.md section 2
namespace dinette::tablestore::ops {
namespace {

/// A client keeps tokens that it has received.
Answer<void> check_token(std::string_view text, const Tunnel& tunnel, const TunnelChannel& channel) {
  const auto token = ChannelToken::decode(text);
  if (!token) return refuse::invalid_tunnel_token();
  if (token->finished) return {};
  if (token->iterator.has_value() != channel.of_stream) return refuse::invalid_tunnel_token();
  if (token->iterator && token->iterator->stream_id != tunnel.stream_id)
    return refuse::invalid_tunnel_token();
  return {};
}

}  // namespace

Answer<api::CheckpointResponse> checkpoint(const Context& context, api::CheckpointRequest&& request) {
  const auto move = [&](const OpenTable&, Tunnel& tunnel) -> Answer<void> {
    DINETTE_TRY(TunnelChannel* const channel,
                channel_of_client(context, tunnel, request.client_id, request.channel_id));
    if (request.sequence_number != channel->sequence + 1)
      return refuse::mismatched_sequence_number(request.sequence_number, channel->sequence + 1);
    DINETTE_CHECK(check_token(request.checkpoint, tunnel, *channel));
    channel->checkpoint = request.checkpoint;
    channel->sequence = request.sequence_number;
    return {};
  };
  DINETTE_CHECK(change_tunnel(context, request.tunnel_id, move));
  return api::CheckpointResponse();
}

}  // namespace dinette::tablestore::ops
