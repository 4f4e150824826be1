#pragma once

#include <cstdint>
#include <vector>

#include "dinette/kv/engine.h"
#include "dinette/tenancy/faults.h"

namespace dinette::tenancy {

/// A set of rules, and which of all sets it is.
struct FaultSet {
  std::uint64_t number = 0;  ///< 0: there were never any
  std::vector<FaultRule> rules = {};
};

/// Returns the rules that servers with one engine share.
kv::Result<FaultSet> read_faults(const kv::Engine& engine);

/// Replaces them. Returns the number of the new set.
kv::Result<std::uint64_t> keep_faults(kv::Engine& engine, const std::vector<FaultRule>& rules);

/// Counts in an engine what the rules have done on all servers that share it.
class SharedFaultCounts final : public FaultCounts {
 public:
  /// `engine` must outlive it.
  explicit SharedFaultCounts(kv::Engine& engine) : engine_(engine) {}

  FaultCount read(std::uint64_t set, std::size_t rule) const override;
  void change(std::uint64_t set, std::size_t rule, base::FunctionRef<void(FaultCount&)> count) override;

 private:
  kv::Engine& engine_;
};

}  // namespace dinette::tenancy
