#pragma once

#include <optional>
#include <random>

#include "dinette/aws/json.h"
#include "dinette/tenancy/faults.h"

#include "dynamodb/request/gate_link.h"
#include "dynamodb/wire/endpoint.h"
#include "dynamodb/wire/injected_error.h"

namespace dinette::dynamodb::wire {

/// Applies the fault rules of its world to one request, except for delays. Requests that are refused before
/// the gate are not compared with rules.
class FaultGate final : public GateLink {
 public:
  /// `request`: its body. `next`: the gate that follows; may be null. All must outlive the object.
  FaultGate(tenancy::Faults& faults, const Endpoint& endpoint, aws::JsonObject request, Gate* next)
      : GateLink(next), faults_(faults), endpoint_(endpoint), request_(request) {}

  /// Prepares another run of a request, after the delay of `hit`.
  void resume(tenancy::FaultHit hit);

  Answer<void> admit(const Context& context, std::string_view operation) override;
  bool admit_item(const Context& context, std::size_t position) override;

  /// Returns what becomes of the answer of the operation.
  Answer<void> replace(Answer<void> answer);

  /// Returns the hit whose delay comes now: before the request is run again if its answer is
  /// ApiError::must_wait, else before it is answered. Null if there is none.
  const tenancy::FaultHit* delayed() const;

  /// Returns true if a rule does something to the request.
  bool has_hit() const { return hit_.has_value(); }

  /// Returns true if the client gets no answer at all.
  bool drops() const { return hit_ && hit_->effect.drop; }

 private:
  Answer<void> end() const;

  tenancy::Faults& faults_;
  const Endpoint& endpoint_;
  const aws::JsonObject request_;
  std::optional<tenancy::FaultHit> hit_;
  bool resumed_ = false;                 ///< after the delay
  std::optional<ThrottledTable> table_;  ///< the first that the request names, if it is on items
  std::mt19937_64 random_;               ///< for the share of a batch that is left unprocessed
};

}  // namespace dinette::dynamodb::wire
