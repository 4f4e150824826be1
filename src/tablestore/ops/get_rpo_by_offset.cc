#include "tablestore/api/get_rpo_by_offset.h"

#include "tablestore/tunnels/recovery_points.h"

// tablestore/tunnel.md section 1
namespace dinette::tablestore::ops {

Answer<api::GetRpoByOffsetResponse> get_rpo_by_offset(const Context& context,
                                                      api::GetRpoByOffsetRequest&& request) {
  DINETTE_TRY(RecoveryPoints points, recovery_points(context, request.tunnel_id.value_or("")));
  return api::GetRpoByOffsetResponse{.rpo_infos = std::move(points.of_channels),
                                     .tunnel_rpo_infos = std::move(points.of_tunnels),
                                     .tunnel_id = std::string(request.tunnel_id.value_or(""))};
}

}  // namespace dinette::tablestore::ops
