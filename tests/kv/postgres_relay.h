#pragma once

#include <atomic>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "support/temporary_folder.h"

namespace dinette::test {

/// Stands between this program and a database, on a socket of its own, passes bytes on, and can cut a
/// connection at the worst moment.
class PostgresRelay {
 public:
  enum class Cut {
    none,
    before,  ///< the next bytes to the database are not passed on
    after,   ///< they are passed on, and the answer is not
  };

  /// `sockets`: the folder of the database's socket.
  explicit PostgresRelay(const std::filesystem::path& sockets);
  ~PostgresRelay();
  PostgresRelay(const PostgresRelay&) = delete;
  PostgresRelay& operator=(const PostgresRelay&) = delete;

  /// Cuts one connection, the next that sends something.
  void cut_next(Cut cut) { cut_ = cut; }
  /// Returns how often this program has sent something, and waited for the answer.
  int trips() const { return trips_; }

  std::string url() const;

 private:
  void listen();
  void serve(int client);
  void pass_on(int client, int server);

  const std::filesystem::path target_;
  const ::test::TemporaryFolder folder_;
  int listener_ = -1;
  std::atomic<Cut> cut_{Cut::none};
  std::atomic<int> trips_{0};
  std::atomic<bool> ends_{false};
  std::mutex mutex_;
  std::vector<std::thread> connections_;  ///< guarded by mutex_
  std::thread thread_;
};

}  // namespace dinette::test
