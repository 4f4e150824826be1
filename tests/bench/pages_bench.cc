// What reads and writes cost as tables grow, in process and without sockets: CPU time a request. The first
// page of a Query should not depend on the size of its partition, nor a PutItem on the size of its table; a
// filtered Scan is given in megabytes per second. Usage: pages_bench [rows of the largest table]

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <string_view>

#include "bench/in_process_server.h"

namespace {

using Server = dinette::bench::InProcessServer;

void create_table(Server& server, const std::string& name) {
  server.call("CreateTable",
              R"({"TableName":")" + name +
                  R"(","BillingMode":"PAY_PER_REQUEST","KeySchema":[)"
                  R"({"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],)"
                  R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)"
                  R"({"AttributeName":"sk","AttributeType":"N"}]})");
}

std::string item(std::string_view partition, std::size_t number, std::size_t text_bytes) {
  return R"({"pk":{"S":")" + std::string(partition) + R"("},"sk":{"N":")" + std::to_string(number) +
         R"("},"group":{"N":")" + std::to_string(number % 100) + R"("},"text":{"S":")" +
         std::string(text_bytes, 'x') + R"("}})";
}

/// `rows` items, 25 a request; `partition_of(i)` names the partition of each.
template <class PartitionOf>
void fill(Server& server, const std::string& table, std::size_t rows, std::size_t text_bytes,
          PartitionOf partition_of) {
  constexpr std::size_t batch = 25;
  for (std::size_t first = 0; first < rows; first += batch) {
    std::string body = R"({"RequestItems":{")" + table + R"(":[)";
    for (std::size_t i = first; i < std::min(first + batch, rows); ++i) {
      if (i > first) body += ',';
      body += R"({"PutRequest":{"Item":)" + item(partition_of(i), i, text_bytes) + "}}";
    }
    server.call("BatchWriteItem", body + "]}}");
  }
}

/// Microseconds of CPU time that one of `calls` calls takes.
template <class Body>
double measure(std::size_t calls, Body body) {
  const std::clock_t start = std::clock();
  for (std::size_t i = 0; i < calls; ++i) body(i);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC * 1e6 / static_cast<double>(calls);
}

void bench_query(Server& server, std::size_t most) {
  create_table(server, "Partitions");
  std::printf("Query, first page of 100 rows of 200 bytes\n  rows of the partition    forward   backward\n");
  for (std::size_t rows = 100; rows <= most; rows *= 10) {
    const std::string partition = "p" + std::to_string(rows);
    fill(server, "Partitions", rows, 150, [&](std::size_t) { return partition; });
    const auto query = [&](const char* forward) {
      const std::string body =
          R"({"TableName":"Partitions","Limit":100,"ScanIndexForward":)" + std::string(forward) +
          R"(,"KeyConditionExpression":"pk = :p","ExpressionAttributeValues":{":p":{"S":")" + partition +
          R"("}}})";
      return measure(2000, [&](std::size_t) { server.call("Query", body); });
    };
    std::printf("  %21zu  %6.1f us  %6.1f us\n", rows, query("true"), query("false"));
  }
}

/// Returns how many rows the last table has, which stays.
std::size_t bench_put(Server& server, std::size_t most) {
  std::printf("PutItem of 1 KB\n  rows of the table        new    replaced\n");
  for (std::size_t rows = 10'000;; rows *= 10) {
    const std::string table = "Rows" + std::to_string(rows);
    create_table(server, table);
    const auto partition_of = [](std::size_t i) { return "customer" + std::to_string(i); };
    fill(server, table, rows, 900, partition_of);
    std::mt19937_64 random(1);
    const auto put = [&](std::size_t number) {
      server.call("PutItem", R"({"TableName":")" + table + R"(","Item":)" +
                                 item(partition_of(number), number, 900) + "}");
    };
    const double fresh = measure(5000, [&](std::size_t i) { put(rows + i); });
    const double replaced = measure(5000, [&](std::size_t) { put(random() % rows); });
    std::printf("  %17zu  %6.1f us  %6.1f us\n", rows, fresh, replaced);
    if (rows * 10 > most) return rows;
    server.call("DeleteTable", R"({"TableName":")" + table + R"("})");
  }
}

/// The table of bench_put with so many rows, of which the filter admits one item in a hundred.
void bench_scan(Server& server, std::size_t rows) {
  const std::string table = "Rows" + std::to_string(rows);
  constexpr std::string_view mark = R"("LastEvaluatedKey":)";
  std::string start;
  std::size_t pages = 0;
  const double spent = measure(1, [&](std::size_t) {
    do {
      const std::string& page = server.call(
          "Scan", R"({"TableName":")" + table +
                      R"(","FilterExpression":"#g = :g","ExpressionAttributeNames":{"#g":"group"},)"
                      R"("ExpressionAttributeValues":{":g":{"N":"7"}})" +
                      start + "}");
      ++pages;
      const auto at = page.find(mark);
      start.clear();
      if (at == std::string::npos) return;
      start = R"(,"ExclusiveStartKey":)" +
              page.substr(at + mark.size(), page.find("}}", at) + 2 - at - mark.size());
    } while (true);
  });
  const double megabytes = static_cast<double>(rows) * 950 / 1e6;
  std::printf("Scan with a filter: %.0f MB in %zu pages, %.0f MB per second of CPU time\n", megabytes, pages,
              megabytes / (spent / 1e6));
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t rows = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  Server server;
  bench_query(server, rows);
  bench_scan(server, bench_put(server, rows));
}
