// Measures whether our own code lets threads work in parallel: requests as they would come from sockets are
// read, served and answered in process, by one thread and by several. Without sockets no load generator needs
// a processor.
//
// Usage: threads_bench PREPARATION LOAD SECONDS THREADS...
//
// Both files hold HTTP requests, each behind a line with its size. Those of the first are sent once, those of
// the second over and over for so many seconds; once for each number of threads given, which prints a line
// with the requests per second.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "dinette/http/server.h"

#include "bench/in_process_server.h"
#include "http/request_reader.h"

namespace {

using namespace dinette;
using bench::InProcessServer;

std::vector<std::string> read_requests(const char* path) {
  std::vector<std::string> requests;
  std::ifstream file(path);
  for (std::size_t size = 0; file >> size && file.get() == '\n';) {
    file.read(requests.emplace_back(size, '\0').data(), static_cast<std::streamsize>(size));
  }
  if (requests.empty()) {
    std::fprintf(stderr, "%s holds no requests\n", path);
    std::exit(1);
  }
  return requests;
}

/// A connection without a socket.
class Connection {
 public:
  explicit Connection(InProcessServer& server) : server_(server), reader_(http::Limits()) {}

  void send(std::string_view bytes) {
    http::ReadState state = http::ReadState::need_bytes;
    while (!bytes.empty() && state == http::ReadState::need_bytes) {
      const auto room = reader_.room();
      const std::size_t size = std::min(room.size(), bytes.size());
      std::copy_n(bytes.data(), size, room.data());
      bytes.remove_prefix(size);
      state = reader_.received(size);
    }
    if (state != http::ReadState::complete || !bytes.empty()) {
      std::fprintf(stderr, "a request is no request\n");
      std::exit(1);
    }
    server_.handle(reader_.request(), reply_);
    (void)reader_.next();
  }

 private:
  InProcessServer& server_;
  http::RequestReader reader_;
  http::Response reply_;
};

/// Returns the requests per second of this many threads that send `load` for this many seconds, each from its
/// own place.
double measure(InProcessServer& server, const std::vector<std::string>& load, std::size_t threads,
               std::chrono::duration<double> length) {
  std::atomic<bool> over = false;
  std::atomic<std::size_t> done = 0;
  std::vector<std::thread> senders;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < threads; ++i) {
    senders.emplace_back([&, next = i * load.size() / threads]() mutable {
      Connection connection(server);
      std::size_t sent = 0;
      for (; !over; ++sent) connection.send(load[next++ % load.size()]);
      done += sent;
    });
  }
  std::this_thread::sleep_for(length);
  over = true;
  for (std::thread& sender : senders) sender.join();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  return static_cast<double>(done) / spent.count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: threads_bench PREPARATION LOAD SECONDS THREADS...\n");
    return 2;
  }
  InProcessServer server;
  Connection connection(server);
  for (const std::string& request : read_requests(argv[1])) connection.send(request);
  const std::vector<std::string> load = read_requests(argv[2]);
  const std::chrono::duration<double> length(std::atof(argv[3]));
  for (int i = 4; i < argc; ++i) {
    std::printf("%.0f\n", measure(server, load, std::strtoul(argv[i], nullptr, 10), length));
  }
}
