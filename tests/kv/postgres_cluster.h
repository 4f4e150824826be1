#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include <sys/types.h>

#include "dinette/kv/postgres.h"

#include "support/temporary_folder.h"

namespace dinette::test {

/// A PostgreSQL cluster in a temporary folder, which runs while this exists, without fsync.
class PostgresCluster {
 public:
  PostgresCluster();
  ~PostgresCluster();
  PostgresCluster(const PostgresCluster&) = delete;
  PostgresCluster& operator=(const PostgresCluster&) = delete;

  /// Starts the server, and waits until it takes connections.
  void start();
  /// Ends it at once, as a crash would.
  void stop();

  /// Returns the URL of a database. `host` has the socket.
  std::string url(const std::string& database = "dinette") const;
  /// Returns the folder of the server's socket.
  std::filesystem::path sockets() const { return folder_.path(); }

  /// Executes SQL as the superuser. Throws if that fails. Returns what it prints.
  std::string sql(const std::string& statements, const std::string& database = "dinette") const;

 private:
  const ::test::TemporaryFolder folder_;
  pid_t server_ = 0;
};

/// Returns the cluster of this program, which is started when it is first needed.
PostgresCluster& postgres_cluster();

/// Options for tests in which the database is only slow, as on a busy machine, and never away.
inline kv::PostgresOptions patient() {
  return {.patience = std::chrono::minutes(2)};
}

/// Returns an empty engine in it.
std::unique_ptr<kv::Engine> make_postgres_engine();
/// Returns the engine that it keeps under the folder's path, or an empty one that it keeps from now on.
std::unique_ptr<kv::Engine> open_postgres_engine(const std::filesystem::path& folder);

}  // namespace dinette::test
