#include "tablestore/api/get_rpo.h"

#include "tablestore/tunnels/recovery_points.h"

// tablestore/tunnel.md section 1
namespace dinette::tablestore::ops {

Answer<api::GetRpoResponse> get_rpo(const Context& context, api::GetRpoRequest&& request) {
  DINETTE_TRY(RecoveryPoints points, recovery_points(context, request.tunnel_id.value_or("")));
  return api::GetRpoResponse{.rpo_infos = std::move(points.of_channels),
                             .tunnel_rpo_infos = std::move(points.of_tunnels)};
}

}  // namespace dinette::tablestore::ops
