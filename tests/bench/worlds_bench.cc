// What forks, resets and snapshots cost, in process and without sockets: requests to the administration,
// whole but for HTTP. Prints one JSON object. Usage: worlds_bench [items of 1 KB of the world] [forks]

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

#include "dinette/admin/api.h"
#include "dinette/base/clock.h"
#include "dinette/base/heap.h"
#include "dinette/base/ids.h"
#include "dinette/dynamodb/service.h"
#include "dinette/http/message.h"
#include "dinette/kv/memory.h"
#include "dinette/tenancy/worlds.h"

#include "kv/live_memory.h"

namespace dinette::bench {
namespace {

using Micros = std::chrono::duration<double, std::micro>;

tenancy::WorldsOptions worlds_options() {
  tenancy::WorldsOptions options;
  options.faces = {dynamodb::world_face()};
  return options;
}

class Server {
 public:
  void administrate(std::string_view method, std::string_view target, std::string_view body = "") {
    const std::array<http::Header, 1> headers{{{"Host", "localhost"}}};
    response_.clear();
    api_.handle(
        {.method = method, .target = target, .headers = headers, .body = body, .remote = "127.0.0.1:1"},
        response_);
    check();
  }

  void call(std::string_view operation, std::string_view body, std::string_view world = "default") {
    const std::string target = "DynamoDB_20120810." + std::string(operation);
    const std::array<http::Header, 3> headers{
        {{"Host", "localhost"}, {"X-Amz-Target", target}, {"X-Dinette-World", world}}};
    response_.clear();
    service_.handle({.method = "POST", .target = "/", .headers = headers, .body = body, .remote = "bench"},
                    response_);
    check();
  }

  tenancy::Worlds& worlds() { return worlds_; }

 private:
  void check() {
    if (response_.status / 100 == 2) return;
    std::fprintf(stderr, "%s\n", response_.body.c_str());
    std::exit(1);
  }

  base::SystemClock clock_;
  base::SystemIds ids_;
  tenancy::Worlds worlds_{worlds_options(), clock_, ids_};
  dynamodb::Service service_{{}, worlds_, clock_, ids_};
  admin::Api api_{{}, worlds_, clock_};
  http::Response response_;
};

std::string item(std::size_t number) {
  return R"({"pk":{"S":"customer)" + std::to_string(number) + R"("},"text":{"S":")" + std::string(970, 'x') +
         R"("}})";
}

void fill(Server& server, std::size_t items) {
  server.call("CreateTable",
              R"({"TableName":"Music","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk",)"
              R"("KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]})");
  constexpr std::size_t batch = 25;
  for (std::size_t first = 0; first < items; first += batch) {
    std::string body = R"({"RequestItems":{"Music":[)";
    for (std::size_t i = first; i < std::min(first + batch, items); ++i)
      body += (i > first ? "," : "") + (R"({"PutRequest":{"Item":)" + item(i) + "}}");
    server.call("BatchWriteItem", body + "]}}");
  }
}

std::size_t resident_bytes() {
  base::trim_heap();
  std::size_t pages = 0;
  std::size_t resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Returns the microseconds that `call` takes.
template <class Call>
double time_of(Call call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return Micros(std::chrono::steady_clock::now() - start).count();
}

/// Calls `call(i)` so many times, and returns the median and the longest time.
template <class Call>
std::pair<double, double> times_of(std::size_t times, Call call) {
  std::vector<double> all;
  for (std::size_t i = 0; i < times; ++i) all.push_back(time_of([&] { call(i); }));
  std::ranges::sort(all);
  return {all[all.size() / 2], all.back()};
}

std::string fork_name(std::size_t i) {
  return "fork" + std::to_string(i);
}

double per(std::size_t before, std::size_t after, std::size_t count) {
  return (static_cast<double>(after) - static_cast<double>(before)) / static_cast<double>(count);
}

class Report {
 public:
  void add(std::string_view name, double value) {
    std::printf("%s\"%s\": %.2f", first_ ? "{" : ", ", std::string(name).c_str(), value);
    first_ = false;
  }
  ~Report() { std::printf("}\n"); }

 private:
  bool first_ = true;
};

void wait_for_nodes(std::int64_t most) {
  while (kv::live_memory.nodes > most) std::this_thread::yield();
}

double get_time(Server& server, std::size_t items) {
  constexpr std::size_t times = 20'000;
  return times_of(times,
                  [&](std::size_t i) {
                    server.call("GetItem", R"({"TableName":"Music","Key":{"pk":{"S":"customer)" +
                                               std::to_string(i * 7919 % items) + R"("}}})");
                  })
      .first;
}

/// Fills and empties the default world some times. Returns its bytes and the median time of emptying it.
std::pair<double, double> fill_and_reset(Server& server, std::size_t items) {
  constexpr std::size_t rounds = 7;
  double bytes = 0;
  std::vector<double> times;
  for (std::size_t i = 0; i < rounds; ++i) {
    const std::int64_t empty_nodes = kv::live_memory.nodes;
    const std::size_t empty = resident_bytes();
    fill(server, items);
    bytes = per(empty, resident_bytes(), 1);
    times.push_back(time_of([&] { server.administrate("POST", "/_dinette/reset"); }));
    wait_for_nodes(empty_nodes);
  }
  std::ranges::sort(times);
  return {bytes, times[rounds / 2]};
}

void run(std::size_t items, std::size_t forks) {
  Report report;
  Server server;
  const auto [small_bytes, small_time] = fill_and_reset(server, items / 10);
  report.add("small_world_bytes", small_bytes);
  report.add("reset_small_us", small_time);
  report.add("reset_us", fill_and_reset(server, items).second);
  const std::int64_t empty_nodes = kv::live_memory.nodes;
  const std::size_t empty = resident_bytes();
  fill(server, items);
  const std::size_t full = resident_bytes();
  const std::int64_t full_nodes = kv::live_memory.nodes;
  report.add("world_bytes", per(empty, full, 1));
  report.add("get_us", get_time(server, items));

  const auto [fork_time, longest_fork] = times_of(forks, [&](std::size_t i) {
    server.administrate("POST", "/_dinette/worlds", R"({"name":")" + fork_name(i) + R"("})");
  });
  report.add("fork_us", fork_time);
  report.add("longest_fork_us", longest_fork);
  const std::size_t forked = resident_bytes();
  report.add("fork_bytes", per(full, forked, forks));
  report.add("get_with_forks_us", get_time(server, items));
  report.add("put_in_fork_us", times_of(forks, [&](std::size_t i) {
                                 server.call("PutItem", R"({"TableName":"Music","Item":)" + item(i) + "}",
                                             fork_name(i));
                               }).first);
  report.add("written_fork_bytes", per(full, resident_bytes(), forks));

  report.add("snapshot_us",
             times_of(100, [&](std::size_t) { server.administrate("POST", "/_dinette/snapshots"); }).first);
  report.add("restore_us", times_of(100, [&](std::size_t) {
                             server.administrate("POST", "/_dinette/snapshots/snapshot-1/restore");
                           }).first);
  for (std::size_t i = 1; i <= 100; ++i)
    server.administrate("DELETE", "/_dinette/snapshots/snapshot-" + std::to_string(i));
  report.add("drop_us", times_of(forks, [&](std::size_t i) {
                          server.administrate("DELETE", "/_dinette/worlds/" + fork_name(i));
                        }).first);
  wait_for_nodes(full_nodes);
  report.add("left_bytes", per(full, resident_bytes(), 1));
  server.administrate("POST", "/_dinette/reset");
  wait_for_nodes(empty_nodes);
  report.add("left_after_reset_bytes", per(empty, resident_bytes(), 1));
}

}  // namespace
}  // namespace dinette::bench

int main(int argc, char** argv) {
  const auto number = [&](int position, std::size_t otherwise) {
    return argc > position ? std::strtoull(argv[position], nullptr, 10) : otherwise;
  };
  dinette::bench::run(number(1, 100'000), number(2, 1'000));
}
