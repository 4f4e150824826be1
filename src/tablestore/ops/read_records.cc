#include "tablestore/api/read_records.h"

#include <utility>

#include "tablestore/api/refusals.h"
#include "tablestore/tunnels/kept_tunnels.h"
#include "tablestore/tunnels/read_channel.h"

// tablestore/tunnel.md section 2
namespace dinette::tablestore::ops {

Answer<api::ReadRecordsResponse> read_records(const Context& context, api::ReadRecordsRequest&& request) {
  const auto token = ChannelToken::decode(request.token);
  if (!token) return refuse::invalid_tunnel_token();
  DINETTE_TRY(OpenTunnel open, open_tunnel(context, request.tunnel_id));
  DINETTE_TRY(const TunnelChannel* const channel,
              channel_of_client(context, open.tunnel, request.client_id, request.channel_id));
  DINETTE_TRY(ChannelPage page, read_channel(context, open.table, open.tunnel, *channel, *token));
  return api::ReadRecordsResponse{
      .records = std::move(page.records), .next_token = page.next.encode(), .may_more_record = page.more};
}

}  // namespace dinette::tablestore::ops
