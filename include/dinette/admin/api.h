#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/result.h"
#include "dinette/cql/definitions.h"
#include "dinette/cql/prompt.h"
#include "dinette/face/face.h"
#include "dinette/http/message.h"
#include "dinette/lambda/triggers.h"
#include "dinette/observe/contributors.h"
#include "dinette/observe/metrics_writer.h"
#include "dinette/observe/recent_requests.h"
#include "dinette/observe/report.h"
#include "dinette/tablestore/browse.h"
#include "dinette/tenancy/faults.h"
#include "dinette/tenancy/worlds.h"

/// Administration over HTTP: the worlds of a server, their clocks and faults. api-specs/admin/openapi.json
/// describes it.
namespace dinette::admin {

/// Returns an error message if a name in a rule is unknown. Otherwise writes its key in the form of requests'
/// keys, and returns nothing.
using PrepareFault = std::function<std::optional<std::string>(tenancy::FaultRule&)>;

/// Reads rules in the form of the body of PUT /_dinette/faults. On failure returns an error
/// message.
base::Result<std::vector<tenancy::FaultRule>, std::string> read_fault_rules(std::string_view json,
                                                                            const PrepareFault& prepare);

/// Reads triggers in the form of the body of PUT /_dinette/triggers, where functions may also be programs. On
/// failure returns an error message.
base::Result<std::vector<lambda::Trigger>, std::string> read_triggers(std::string_view json);

/// What one replica of a global table has for another one.
struct ReplicaLink {
  std::string table;
  std::string from;  ///< regions
  std::string to;
  std::string status;                                    ///< of the replica in `to`, such as ACTIVE
  bool cut = false;                                      ///< the link between them
  std::uint64_t pending = 0;                             ///< changes that are not there yet
  std::optional<std::chrono::microseconds> behind = {};  ///< the age of the oldest of them
  std::uint64_t applied = 0;                             ///< changes that are there
  std::uint64_t outdated = 0;  ///< changes that lost against a later one, or came twice
};

struct ApiOptions {
  /// The token that callers must present; empty: none, and only callers on this machine are served.
  std::string token = {};
  /// False: callers on this machine need no token.
  bool token_for_all_callers = true;
  /// Web origins that may call the services (http::CorsOptions). Of these, only pages of this machine may
  /// administrate, and with a token those of the address by which they call.
  std::string cors_origins = "local";
  std::string version = {};      ///< of the program
  std::string certificate = {};  ///< the self-signed one that the server presents (PEM); empty: none
  /// Deletes the expired items of a world, and returns their number; nothing on failure.
  std::function<std::optional<std::size_t>(tenancy::World&)> sweep_expired = [](tenancy::World&) {
    return 0;
  };
  /// Splits the open shards of the stream of a table. Returns false if the table has no enabled stream.
  std::function<kv::Result<bool>(tenancy::World&, std::string_view table)> split_shards =
      [](tenancy::World&, std::string_view) { return false; };
  /// Returns the keys that contributor insights of the tables of a world have counted.
  std::function<kv::Result<std::vector<observe::ContributorRule>>(tenancy::World&)> contributors =
      [](tenancy::World&) { return std::vector<observe::ContributorRule>(); };
  /// Returns the links between the replicas of a world's tables.
  std::function<kv::Result<std::vector<ReplicaLink>>(tenancy::World&)> replica_links = [](tenancy::World&) {
    return std::vector<ReplicaLink>();
  };
  /// Returns the tables of Tablestore, and reads rows of them.
  std::function<tablestore::Browsed<std::vector<tablestore::ListedInstance>>(tenancy::World&)>
      list_instances = [](tenancy::World&) { return std::vector<tablestore::ListedInstance>(); };
  std::function<tablestore::Browsed<tablestore::RowAnswer>(tenancy::World&, const tablestore::RowQuestion&)>
      read_rows = [](tenancy::World&, const tablestore::RowQuestion&) { return tablestore::RowAnswer(); };
  /// Returns the keyspaces and tables of users, and carries out statements.
  std::function<cql::Defined<std::vector<cql::KeyspaceTables>>(tenancy::World&)> list_keyspaces =
      [](tenancy::World&) { return std::vector<cql::KeyspaceTables>(); };
  std::function<cql::Prompted<cql::PromptAnswer>(const cql::PromptStatement&)> run_cql =
      [](const cql::PromptStatement&) { return cql::PromptAnswer(); };
  /// Returns the port at which clients of Apache Cassandra are served; nothing if there is none.
  std::function<std::optional<std::uint16_t>()> cql_port = [] { return std::optional<std::uint16_t>(); };
  PrepareFault prepare_fault = [](tenancy::FaultRule&) { return std::nullopt; };
  /// Returns the metrics of the program as observe::MetricsWriter writes them.
  std::function<std::string(observe::MetricsFormat)> metrics = [](observe::MetricsFormat format) {
    return observe::MetricsWriter(format).finish();
  };
  /// The requests that the services answered; null: none. Must outlive the API.
  observe::RecentRequests* recent = nullptr;
  /// The reports of their worlds; null: none. Must outlive the API.
  observe::Reports* reports = nullptr;
  /// The triggers of worlds; null: none. Must outlive the API.
  lambda::Triggers* triggers = nullptr;
};

/// One method of one path, as in OpenAPI: "/_dinette/worlds/{name}".
struct RouteName {
  std::string_view method;
  std::string_view path;
  /// Those that its query may have, comma-separated; other ones are refused. "*": any, which are ignored.
  std::string_view parameters = "world";
};

/// Returns all routes.
std::span<const RouteName> routes();

/// The page for people.
inline constexpr std::string_view page_path = "/_dinette/";
/// Returns false if npm's packages were missing when the program was built, so that there is no page.
bool has_page();

/// Handles administrative requests. Refuses web pages of other servers and, without a token, callers that are
/// not on this machine and host names that may have been rebound. Thread-safe.
class Api final : public face::Face {
 public:
  /// `worlds` and `real_clock` must outlive it.
  Api(ApiOptions options, tenancy::Worlds& worlds, const base::Clock& real_clock);
  ~Api() override;

  /// Returns true for requests of the paths that are the administration's.
  static bool owns(const http::Request& request);

  /// Returns true for requests at paths outside of these at which people and tools look for what is inside:
  /// the page, metrics, health. They may also be paths of a bucket, for which the caller must check.
  /// Handled like the paths that they lead to, by the same rules of access.
  static bool is_shortcut(const http::Request& request);

  /// Handles a request, but only where it may wait; else asks for that (http::Request::may_wait).
  void handle(const http::Request& request, http::Response& response) override;
  void refuse(const http::Request& request, http::Response& response) override;
  const observe::RequestCounters& requests() const override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::admin
