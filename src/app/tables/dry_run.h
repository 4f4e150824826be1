#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "app/transfer/operations.h"

namespace dinette::app {

/// Operations that change nothing: calls that only read are passed on, all others are answered as if they had
/// succeeded, and reported. Tables that seem to be created are then there, and tables that seem to be deleted
/// are not. For one thread.
class DryRun final : public Operations {
 public:
  using Report = std::function<void(std::string_view operation, std::string_view request)>;

  /// `real` must outlive the object; null: there are no tables.
  DryRun(Operations* real, Report report) : real_(real), report_(std::move(report)) {}

  base::Result<OperationReply, NoReply> call(std::string_view operation, std::string_view request) override;

 private:
  base::Result<OperationReply, NoReply> read(std::string_view operation, std::string_view request);

  Operations* const real_;
  const Report report_;
  std::set<std::string, std::less<>> created_;
  std::set<std::string, std::less<>> deleted_;
};

}  // namespace dinette::app
