#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/aws/json_service.h"

namespace test {

/// A made-up service, with two operations, targets, tables, errors and limits of its own. It shows that
/// everything else of an AWS JSON service is in the layer.
///
/// ReleasePigeon takes a Name, a Speed and the Grams it carries, and answers with the Minutes of the flight,
/// and for a Note, which is bytes, with this and the time of Landing; CountPigeons answers with how many were
/// released. RecallPigeon is planned.
class PigeonPost final : public dinette::aws::JsonOperations {
 public:
  explicit PigeonPost(dinette::aws::JsonServiceOptions options, const dinette::base::Clock& clock);

  /// Returns true for requests of this service, on a port that it shares with others.
  static bool owns(const dinette::http::Request& request) {
    return dinette::aws::has_target_of(request, "PigeonPost_20300101.");
  }
  dinette::face::Face& face() { return service_; }

  struct Reply {
    int status;
    std::string content_type;
    std::string headers;
    std::string body;
    bool must_wait;

    std::string header(std::string_view name) const;
  };
  using Headers = std::vector<std::pair<std::string, std::string>>;

  Reply send(std::string_view method, std::string_view target, const Headers& headers, std::string_view body,
             bool may_wait = true);
  /// An operation without a signature.
  Reply call(std::string_view operation, std::string_view body);
  Reply refused(int status);

  dinette::aws::Outcome run(const dinette::aws::JsonRequest& request,
                            dinette::http::Response& response) override;
  void answer_health(dinette::http::Response& response) const override;

 private:
  int released_ = 0;
  dinette::base::SeededIds ids_{1};
  dinette::tenancy::Worlds worlds_;
  dinette::aws::JsonService service_;
};

}  // namespace test
