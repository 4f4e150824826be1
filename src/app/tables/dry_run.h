#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "app/transfer/operations.h"

namespace dinette::app {

/// A call that a dry run does not make.
struct TriedCall {
  std::string_view service;  ///< its name in signatures; empty: DynamoDB
  std::string_view operation;
  std::string_view path;   ///< of REST, if it names what the input does not; else empty
  std::string_view input;  ///< JSON
};

/// Operations that change nothing: calls that only read are passed on, all others are answered as if they had
/// succeeded, and reported. What seems to be created is then there, and what seems to be deleted is not. For
/// one thread.
class DryRun final : public Operations {
 public:
  using Report = std::function<void(const TriedCall& call)>;

  /// `real` must outlive the object; null: there is nothing.
  DryRun(Operations* real, Report report) : real_(real), report_(std::move(report)) {}

  base::Result<OperationReply, NoReply> call(std::string_view operation, std::string_view request) override;
  base::Result<OperationReply, NoReply> call_service(const ServiceCall& call) override;

 private:
  base::Result<OperationReply, NoReply> read(std::string_view operation, std::string_view request);
  base::Result<OperationReply, NoReply> read_service(const ServiceCall& call);
  /// Notes that a successful call made or removed something, which `name` tells apart from everything else.
  void note(std::string_view operation, const std::string& name);

  Operations* const real_;
  const Report report_;
  std::set<std::string, std::less<>> created_;
  std::set<std::string, std::less<>> deleted_;
};

}  // namespace dinette::app
