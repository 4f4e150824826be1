#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "dinette/base/function_ref.h"
#include "dinette/dynamodb/verify.h"
#include "dinette/kv/error.h"
#include "dinette/store/verify.h"

namespace dinette::dynamodb {

/// What the parts of a verification add to.
class Findings {
 public:
  using Progress = base::FunctionRef<void(const VerifiedData&)>;

  Findings(store::ReportFault report, Progress progress) : report_(report), progress_(progress) {}

  VerifiedData verified;

  void fault(std::string sentence) { report_(std::move(sentence)); }
  /// Reports a fault of `what`, the rest of which was not checked, if `outcome` is a failure.
  void fault_unless(const kv::Result<void>& outcome, const std::string& what) {
    if (!outcome) fault(what + " cannot be read to the end: " + outcome.error().message);
  }
  /// Reports a fault if the counted number is not the number found.
  void compare(const std::string& what, std::int64_t counted, std::int64_t found) {
    if (counted != found)
      fault(what + ": " + std::to_string(counted) + " counted, " + std::to_string(found) + " found");
  }
  /// Must be called for everything that was read.
  void advance() {
    constexpr std::uint64_t interval = 4096;
    if (++steps_ % interval == 0) progress_(verified);
  }

 private:
  const store::ReportFault report_;
  const Progress progress_;
  std::uint64_t steps_ = 0;
};

}  // namespace dinette::dynamodb
