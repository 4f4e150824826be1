#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dinette/admin/api.h"
#include "dinette/aws/auth_options.h"
#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/base/result.h"
#include "dinette/cql/service.h"
#include "dinette/dynamodb/instance.h"
#include "dinette/dynamodb/kinesis_streams.h"
#include "dinette/face/faces.h"
#include "dinette/http/server.h"
#include "dinette/keyspaces/service.h"
#include "dinette/kinesis/service.h"
#include "dinette/kv/engines.h"
#include "dinette/lambda/pollers.h"
#include "dinette/lambda/service.h"
#include "dinette/observe/metrics_writer.h"
#include "dinette/observe/recent_requests.h"
#include "dinette/observe/report.h"
#include "dinette/s3/service.h"
#include "dinette/tablestore/service.h"
#include "dinette/tcp/self_signed.h"

#include "app/options.h"
#include "app/program.h"
#include "app/serve/buckets.h"
#include "app/serve/first_tables.h"
#include "app/serve/front_door.h"
#include "app/serve/greeting.h"
#include "app/stream_sources.h"

namespace dinette::app {

/// What is read from files before a host is opened.
struct HostFiles {
  aws::Credentials credentials;                       ///< of --credentials; empty: none
  tcp::SelfSigned self_signed;                        ///< to serve with; empty: none
  std::shared_ptr<const iam::Identities> identities;  ///< of --iam; null: none
};

/// Everything that `dinette` serves, and the port that it is served at: an instance of DynamoDB, buckets, the
/// faces that answer, what observes them, the HTTP server. In the order of its members; each outlives those
/// after it. For one thread. All errors are sentences for the user.
class Host {
 public:
  /// Opens data and faces, and does not listen yet. `options` and `full` must outlive the host; `full` may be
  /// null if the options do not need it.
  static base::Result<std::unique_ptr<Host>, std::string> open(const Options& options, HostFiles files,
                                                               const FullProgram* full);

  /// Makes the tables of --tables and begins to watch their files, imports what --load names, and sets the
  /// rules of --faults. Ends early if `interrupted`.
  base::Result<void, std::string> prepare(const std::function<bool()>& interrupted);

  /// Begins to serve. Returns where.
  base::Result<Listening, std::string> listen();

  /// Ends background work, and requests: waits up to `patience` for those in progress.
  void stop(std::chrono::milliseconds patience);

  const observe::Reports& reports() const { return reports_; }
  /// The token that the host made up for administrators on other machines; empty: none is needed.
  const std::string& visitor_token() const { return visitor_token_; }

 private:
  Host(const Options& options, HostFiles files, const FullProgram* full);

  base::Result<void, std::string> open_data();
  base::Result<void, std::string> open_kinesis_streams();
  base::Result<void, std::string> make_triggers();
  void open_faces();
  /// Returns what changes of event source mappings are passed to.
  lambda::MappingsChanged tell_pollers();
  void open_administration();
  std::vector<face::Route> routes();
  void listen_for_region(const RegionPort& of_region, const http::ServerOptions& settings);
  void listen_for_tablestore(const http::ServerOptions& settings);
  void listen_for_cql(const http::ServerOptions& settings);
  std::string metrics(observe::MetricsFormat format) const;

  const Options& options_;
  const FullProgram* const full_;
  const tcp::SelfSigned self_signed_;
  const base::SystemClock clock_;
  const std::unique_ptr<base::Ids> ids_;
  observe::RecentRequests recent_;
  observe::Reports reports_{clock_};
  dynamodb::ServiceOptions service_options_;
  std::shared_ptr<kv::Engines> engines_;
  Buckets buckets_;
  std::unique_ptr<dynamodb::KinesisStreams> kinesis_streams_;
  ServedStreams streams_;
  std::optional<lambda::Pollers> pollers_;
  std::unique_ptr<dynamodb::Instance> instance_;
  base::TimePoint start_;
  const std::string visitor_token_;
  std::optional<kinesis::Service> kinesis_;
  std::optional<lambda::Service> lambda_;
  std::optional<tablestore::Service> tablestore_;
  std::optional<cql::Service> cql_;
  std::optional<keyspaces::Service> keyspaces_;
  std::optional<s3::Service> s3_;
  std::atomic<std::uint16_t> cql_port_{0};  ///< that is served; 0: none, or not yet
  std::optional<admin::Api> admin_;
  std::optional<FrontDoor> front_door_;  ///< none without administration
  std::optional<face::Faces> faces_;
  std::optional<http::Server> server_;
  std::unique_ptr<FirstTables> first_tables_;  ///< null if it begins without
};

}  // namespace dinette::app
