#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/observe/counters.h"
#include "dinette/observe/metrics_writer.h"
#include "dinette/observe/request_counters.h"
#include "dinette/observe/table_counters.h"

namespace dinette::observe::metrics_test {
namespace {

using namespace std::chrono_literals;

template <class Source>
std::string text_of(const Source& source) {
  MetricsWriter text(MetricsFormat::open_metrics);
  source.write(text);
  return std::move(text).finish();
}

std::string text_of(const RequestCounters& service) {
  MetricsWriter text(MetricsFormat::open_metrics);
  const RequestCounters* const services[] = {&service};
  RequestCounters::write(text, services);
  return std::move(text).finish();
}

bool has(const std::string& text, const std::string& line) {
  return text.find(line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("what threads count adds up") {
  Counters counters(3);
  CHECK(counters.value(0) == 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 40; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 1000; ++k) counters.add(1);
      counters.add(2, 7);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(counters.value(0) == 0);
  CHECK(counters.value(1) == 40'000);
  CHECK(counters.value(2) == 280);
}

TEST_CASE("families have a type, a unit, a help text, and samples") {
  MetricsWriter text(MetricsFormat::open_metrics);
  text.family("a_seconds", MetricsWriter::Type::counter, "Time", "seconds");
  text.sample("_total", {{"name", "x"}, {"other", ""}}, 0.5);
  text.gauge("b", "Things", 3);
  text.counter("c", "Events", 1e-5);
  CHECK(std::move(text).finish() ==
        "# TYPE a_seconds counter\n# UNIT a_seconds seconds\n# HELP a_seconds Time.\n"
        "a_seconds_total{name=\"x\",other=\"\"} 0.5\n"
        "# TYPE b gauge\n# HELP b Things.\nb 3\n"
        "# TYPE c counter\n# HELP c Events.\nc_total 1e-05\n# EOF\n");
}

TEST_CASE("in Prometheus' format families are named as their samples are, and there is no end") {
  MetricsWriter text(MetricsFormat::prometheus);
  text.family("a_seconds", MetricsWriter::Type::counter, "Time", "seconds");
  text.sample("_total", {{"name", "x"}, {"other", ""}}, 0.5);
  text.gauge("b_bytes", "Things", 3, "bytes");
  text.family("c", MetricsWriter::Type::info, "The program");
  text.sample("_info", {{"version", "1"}}, std::uint64_t{1});
  text.family("d_seconds", MetricsWriter::Type::histogram, "Durations", "seconds");
  text.sample("_bucket", {{"le", "+Inf"}}, std::uint64_t{2});
  CHECK(std::move(text).finish() ==
        "# HELP a_seconds_total Time.\n# TYPE a_seconds_total counter\n"
        "a_seconds_total{name=\"x\",other=\"\"} 0.5\n"
        "# HELP b_bytes Things.\n# TYPE b_bytes gauge\nb_bytes 3\n"
        "# HELP c_info The program.\n# TYPE c_info gauge\nc_info{version=\"1\"} 1\n"
        "# HELP d_seconds Durations.\n# TYPE d_seconds histogram\nd_seconds_bucket{le=\"+Inf\"} 2\n");
}

TEST_CASE("the formats have their media types") {
  CHECK(content_type_of(MetricsFormat::prometheus) == "text/plain; version=0.0.4; charset=utf-8");
  CHECK(content_type_of(MetricsFormat::open_metrics) ==
        "application/openmetrics-text; version=1.0.0; charset=utf-8");
}

TEST_CASE("values of labels are escaped") {
  MetricsWriter text(MetricsFormat::open_metrics);
  text.family("a", MetricsWriter::Type::gauge, "Things");
  text.sample("", {{"name", "\"\\\n\xC3\xA4"}}, std::uint64_t{1});
  CHECK(has(std::move(text).finish(), "a{name=\"\\\"\\\\\\n\xC3\xA4\"} 1"));
}

TEST_CASE("requests are counted by operation and error") {
  RequestCounters counters("store", {"Get", "Put"}, {{"Bad", 400}, {"Broken", 500}});
  counters.count(0, std::nullopt, 5us);
  counters.count(0, std::nullopt, 5us);
  counters.count(1, 1, 5us);
  counters.count(std::nullopt, 0, 5us);
  const std::string text = text_of(counters);
  CHECK(has(text, R"(dinette_requests_total{service="store",operation="Get",status="200",error=""} 2)"));
  CHECK(has(text, R"(dinette_requests_total{service="store",operation="Put",status="200",error=""} 0)"));
  CHECK(
      has(text, R"(dinette_requests_total{service="store",operation="Put",status="500",error="Broken"} 1)"));
  CHECK(has(text, R"(dinette_requests_total{service="store",operation="",status="400",error="Bad"} 1)"));
  CHECK(text.find(R"(operation="Get",status="400")") == std::string::npos);
}

TEST_CASE("durations are in the bucket that ends at or after them") {
  RequestCounters counters("store", {"Get"}, {});
  for (const auto duration : {0ns, 10'000ns, 10'001ns, 1'000'000'000ns, 10'000'000'001ns})
    counters.count(0, std::nullopt, duration);
  const std::string text = text_of(counters);
  const auto bucket = [&](const std::string& end, int count) {
    return has(text, "dinette_request_duration_seconds_bucket{service=\"store\",operation=\"Get\",le=\"" +
                         end + "\"} " + std::to_string(count));
  };
  CHECK(bucket("1e-05", 2));
  CHECK(bucket("2e-05", 3));
  CHECK(bucket("0.5", 3));
  CHECK(bucket("1.0", 4));
  CHECK(bucket("10.0", 4));
  CHECK(bucket("+Inf", 5));
  CHECK(has(text, R"(dinette_request_duration_seconds_count{service="store",operation="Get"} 5)"));
  CHECK(has(text, R"(dinette_request_duration_seconds_sum{service="store",operation="Get"} 11.000020002)"));
}

TEST_CASE("units are counted by table") {
  TableCounters tables;
  tables.add_read("Music", 0.5);
  tables.add_read("Music", 1);
  tables.add_write("Films", 3);
  const std::string text = text_of(tables);
  CHECK(has(text, R"(dinette_consumed_read_capacity_units_total{table="Music"} 1.5)"));
  CHECK(has(text, R"(dinette_consumed_read_capacity_units_total{table="Films"} 0)"));
  CHECK(has(text, R"(dinette_consumed_write_capacity_units_total{table="Films"} 3)"));
  CHECK_FALSE(has(text, R"(dinette_consumed_write_capacity_units_total{table=""} 0)"));
}

TEST_CASE("tables beyond a number are counted together") {
  TableCounters tables;
  for (std::size_t i = 0; i < TableCounters::most_tables + 2; ++i)
    tables.add_write("table" + std::to_string(i), 1);
  tables.add_write("table0", 1);
  tables.add_write("table1000", 1);
  const std::string text = text_of(tables);
  CHECK(has(text, R"(dinette_consumed_write_capacity_units_total{table="table0"} 2)"));
  CHECK(has(text, R"(dinette_consumed_write_capacity_units_total{table=""} 3)"));
}

TEST_CASE("threads may meet new tables at the same time") {
  TableCounters tables;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int table = 0; table < 50; ++table) tables.add_read("table" + std::to_string(table), 1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string text = text_of(tables);
  for (int table = 0; table < 50; ++table)
    CHECK(has(text,
              "dinette_consumed_read_capacity_units_total{table=\"table" + std::to_string(table) + "\"} 4"));
}

}  // namespace dinette::observe::metrics_test
