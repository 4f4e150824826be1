#pragma once

#include <string>
#include <string_view>

#include "tablestore/request/context.h"

namespace dinette::tablestore {

/// How far a tunnel has been read, as JSON that clients decode (tablestore/tunnel.md section 1).
struct RecoveryPoints {
  std::string of_channels;  ///< by the id of the tunnel, and by that of the channel
  std::string of_tunnels;   ///< by the id of the tunnel
};

/// Returns those of the tunnel with that id, or fails.
Answer<RecoveryPoints> recovery_points(const Context& context, std::string_view tunnel_id);

}  // namespace dinette::tablestore
