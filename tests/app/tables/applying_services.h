#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/definitions/definitions.h"

#include "app/open_instance.h"
#include "app/service_settings.h"
#include "app/tables/apply_definitions.h"
#include "app/tables/apply_report.h"
#include "app/transfer/local_operations.h"

namespace test {

/// Operations of others, of which a test sees the calls that change something, and may answer some.
class WatchedOperations final : public dinette::app::Operations {
 public:
  using Reply = dinette::base::Result<dinette::app::OperationReply, dinette::app::NoReply>;

  explicit WatchedOperations(dinette::app::Operations& real) : real_(real) {}

  /// Called first for other services than DynamoDB; if it returns nothing, the real one answers.
  std::function<std::optional<Reply>(const dinette::app::ServiceCall& call)> instead;
  std::vector<std::string> changes;  ///< "CreateTable {...}", in order

  Reply call(std::string_view operation, std::string_view request) override {
    note(operation, request);
    return real_.call(operation, request);
  }
  Reply call_service(const dinette::app::ServiceCall& call) override {
    note(call.operation, call.body);
    if (instead) {
      if (auto reply = instead(call)) return *std::move(reply);
    }
    return real_.call_service(call);
  }

 private:
  void note(std::string_view operation, std::string_view input) {
    for (const std::string_view read : {"Get", "List", "Describe"}) {
      if (operation.starts_with(read)) return;
    }
    changes.push_back(std::string(operation) + " " + std::string(input));
  }

  dinette::app::Operations& real_;
};

/// A server with DynamoDB, Amazon Keyspaces and event source mappings, and templates that are applied to it.
struct ApplyingServices {
  using Json = nlohmann::json;

  dinette::base::SystemClock clock;
  dinette::base::SystemIds ids;
  dinette::dynamodb::ServiceOptions service =
      dinette::app::without_hurdles(dinette::app::service_settings({}, {}));
  std::unique_ptr<dinette::dynamodb::Instance> instance =
      dinette::app::open_instance({.service = service}, clock, ids).value();
  std::vector<std::string> changed_mappings;
  dinette::app::OtherServices others{{},
                                     service,
                                     [this](dinette::tenancy::World&, std::string_view,
                                            std::string_view uuid) { changed_mappings.emplace_back(uuid); },
                                     instance->worlds(),
                                     clock,
                                     ids};
  dinette::app::LocalOperations local{instance->service(), &others};
  WatchedOperations operations{local};

  /// Applies a template of CloudFormation, which must have no errors.
  std::vector<dinette::app::AppliedResource> applied(std::string_view text,
                                                     dinette::app::ApplySettings settings = {}) {
    return applied_by(operations, text, settings);
  }
  std::vector<dinette::app::AppliedResource> applied_by(dinette::app::Operations& by, std::string_view text,
                                                        dinette::app::ApplySettings settings = {}) {
    const auto definitions = dinette::definitions::read_definitions(text, "template.yaml", {});
    for (const auto& error : definitions.errors) UNSCOPED_INFO(error.text);
    REQUIRE(definitions.errors.empty());
    return dinette::app::apply_definitions(transfer(by), definitions, settings);
  }

  /// Returns the output of an operation of Amazon Keyspaces.
  Json keyspaces(const std::string& operation, const Json& input) {
    const auto reply = local.call_service({.service = "cassandra",
                                           .operation = operation,
                                           .target = "KeyspacesService." + operation,
                                           .body = input.dump()});
    REQUIRE(reply.ok());
    INFO(reply->body);
    REQUIRE(reply->status == 200);
    return reply->body.empty() ? Json() : Json::parse(reply->body);
  }

  /// Returns the event source mappings, as Lambda lists them.
  Json mappings() {
    const auto reply = local.call_service({.service = "lambda",
                                           .operation = "ListEventSourceMappings",
                                           .method = "GET",
                                           .path = "/2015-03-31/event-source-mappings"});
    REQUIRE(reply.ok());
    return Json::parse(reply->body)["EventSourceMappings"];
  }

  dinette::app::Transfer transfer(dinette::app::Operations& by) {
    return {by, clock, ids, progress_, {[] { return false; }, [](auto) {}}};
  }

 private:
  dinette::app::TransferProgress progress_{dinette::app::TransferProgress::Shown::log};
};

/// Returns the first words of texts: the operations of calls.
inline std::vector<std::string> first_words(const std::vector<std::string>& texts) {
  std::vector<std::string> words;
  for (const std::string& text : texts) words.push_back(text.substr(0, text.find(' ')));
  return words;
}

/// Returns "created shop.baskets" and so on.
inline std::vector<std::string> outcomes(const std::vector<dinette::app::AppliedResource>& resources) {
  std::vector<std::string> texts;
  for (const auto& resource : resources) {
    for (const std::string& error : resource.errors) UNSCOPED_INFO(resource.name << ": " << error);
    texts.push_back(std::string(dinette::app::name_of(resource.outcome)) + " " + resource.name);
  }
  return texts;
}

}  // namespace test
