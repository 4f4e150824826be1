#pragma once

#include <string_view>

#include "dinette/aws/json.h"

#include "dynamodb/request/gate_link.h"

namespace dinette::dynamodb::wire {

/// Refuses what the policies of the caller and of the resource do not allow: the request as a whole, also a
/// batch or a transaction (docs/service/insights-policies-account.md section 5).
class AccessGate final : public GateLink {
 public:
  /// `request`: its body. `next`: the gate that follows; may be null. Both must outlive the object.
  AccessGate(aws::JsonObject request, Gate* next) : GateLink(next), request_(request) {}

  Answer<void> admit(const Context& context, std::string_view operation) override;

 private:
  const aws::JsonObject request_;
};

}  // namespace dinette::dynamodb::wire
