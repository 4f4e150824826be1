#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/cql/definitions.h"
#include "dinette/cql/prompt.h"
#include "dinette/cql/row_size.h"
#include "dinette/observe/metrics_writer.h"
#include "dinette/observe/recent_requests.h"
#include "dinette/observe/report.h"
#include "dinette/observe/request_counters.h"
#include "dinette/tcp/protocol.h"
#include "dinette/tenancy/tenants.h"
#include "dinette/tenancy/worlds.h"

/// Amazon Keyspaces, as clients of Apache Cassandra reach it: CQL by the native protocol. What it keeps is
/// described in src/cql/FORMAT.md.
namespace dinette::cql {

/// Returns what a world needs for keyspaces and tables.
tenancy::WorldFace world_face();

/// An access key whose requests to log in are signed (SigV4), or its id and secret a user and a password.
struct AccessKey {
  std::string secret;
  std::string account = {};  ///< twelve digits; empty: the default
};

/// Who may connect.
struct LogInOptions {
  enum class Mode {
    none,    ///< clients are not asked
    any,     ///< clients must log in, and everybody may
    verify,  ///< password or signature must be right
  };

  Mode mode = Mode::none;
  std::map<std::string, std::string, std::less<>> passwords = {};  ///< by user
  std::map<std::string, AccessKey, std::less<>> keys = {};         ///< by id
};

struct ServiceOptions {
  /// True: accepts what the service does and enforces its quotas. False: what Cassandra 3.11 accepts too.
  bool strict = false;
  LogInOptions log_in = {};
  std::string account = "000000000000";  ///< of clients whose user or access key has none
  std::string region = "us-east-1";      ///< of all clients: requests do not name one
  tenancy::Isolation isolation = {};
  std::chrono::milliseconds state_delay{0};  ///< how long keyspaces and tables stay CREATING and so on
  SizeFormula sizes = SizeFormula::earlier;  ///< of rows, for quotas and units of capacity
  /// True if requests are refused that tables have no capacity for, as by the service.
  bool throttle = false;
  /// Receive the answered requests; may be null. Must outlive the service.
  observe::RecentRequests* recent = nullptr;
  observe::Reports* reports = nullptr;
};

/// Checks a rule for faults, whose operation is one of CQL ("SELECT", "CREATE TABLE"), or whose error is
/// ("WriteTimeout"). Returns a sentence about what is wrong with it, if anything.
std::optional<std::string> prepare_fault(tenancy::FaultRule& rule);
bool is_operation(std::string_view name);
bool is_error(std::string_view name);

/// Answers the connections of a port, each request in the world that its client sees: that of its user or
/// access key if it is the name of a fork, else the one of its account. Worlds must have world_face().
/// Thread-safe; worlds, clock and ids must outlive it. Log-ins are verified by `clock`.
class Service final : public tcp::ProtocolFactory {
 public:
  Service(ServiceOptions options, tenancy::Worlds& worlds, const base::Clock& clock, base::Ids& ids);
  ~Service() override;

  std::unique_ptr<tcp::Protocol> make(tcp::Link& link, tcp::Peer peer) override;
  std::string turn_away(const tcp::Peer& peer) override;
  std::string_view alpn() const override { return {}; }

  /// Carries out a statement as the QUERY of a client that has not logged in. Waits for what it needs.
  Prompted<PromptAnswer> run(const PromptStatement& statement);
  /// Returns what this client sees of a world, which must outlive the scope, as this object must.
  DefinitionScope scope_in(tenancy::World& world) const;

  const observe::RequestCounters& requests() const;
  /// Writes what tables have consumed, and what was removed of them when it was old.
  void write_figures(observe::MetricsWriter& text) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::cql
