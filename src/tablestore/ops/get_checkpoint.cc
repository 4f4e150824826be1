#include "tablestore/api/get_checkpoint.h"

#include "tablestore/tunnels/kept_tunnels.h"

// tablestore/tunnel.md section 2
namespace dinette::tablestore::ops {

Answer<api::GetCheckpointResponse> get_checkpoint(const Context& context,
                                                  api::GetCheckpointRequest&& request) {
  DINETTE_TRY(OpenTunnel open, open_tunnel(context, request.tunnel_id));
  DINETTE_TRY(const TunnelChannel* const channel,
              channel_of_client(context, open.tunnel, request.client_id, request.channel_id));
  return api::GetCheckpointResponse{.checkpoint = channel->checkpoint, .sequence_number = channel->sequence};
}

}  // namespace dinette::tablestore::ops
