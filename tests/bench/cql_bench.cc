// What point reads and writes of Amazon Keyspaces by prepared statements cost, next to GetItem and PutItem of
// the same data: CPU time per request, in process and without sockets, through the protocols of both.
// Usage: cql_bench [rows]

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/base/bytes.h"
#include "dinette/cql/service.h"
#include "dinette/kv/memory.h"
#include "dinette/tcp/protocol.h"

#include "bench/in_process_server.h"

namespace {

using namespace dinette;

constexpr std::size_t calls = 200'000;
constexpr std::size_t text_bytes = 200;

/// Microseconds of CPU time that one call takes.
template <class Body>
double measure(Body body) {
  const std::clock_t start = std::clock();
  for (std::size_t i = 0; i < calls; ++i) body(i);
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC * 1e6 / static_cast<double>(calls);
}

tenancy::WorldsOptions worlds_options() {
  tenancy::WorldsOptions options;
  options.engines = kv::make_memory_engines();
  options.faces = {cql::world_face()};
  return options;
}

void append_text(std::string& out, std::string_view text) {
  base::append_big_endian(out, static_cast<std::uint16_t>(text.size()));
  out += text;
}

void append_value(std::string& out, std::string_view bytes) {
  base::append_big_endian(out, static_cast<std::uint32_t>(bytes.size()));
  out += bytes;
}

/// A connection of the native protocol without a socket.
class Connection final : public tcp::Link {
 public:
  static constexpr std::uint8_t error = 0x00;
  static constexpr std::uint8_t startup = 0x01;
  static constexpr std::uint8_t query = 0x07;
  static constexpr std::uint8_t prepare = 0x09;
  static constexpr std::uint8_t execute = 0x0A;

  explicit Connection(cql::Service& service) : protocol_(service.make(*this, {.remote = "bench"})) {
    protocol_->resume();
    std::string body;
    base::append_big_endian(body, std::uint16_t{1});
    append_text(body, "CQL_VERSION");
    append_text(body, "3.4.4");
    ask(startup, body);
  }

  /// Returns the body of the answer, until the next call. An error ends the program.
  std::string_view ask(std::uint8_t opcode, std::string_view body) {
    constexpr std::size_t head = 9;
    frame_.assign({4, 0, 0, 1, static_cast<char>(opcode)});
    base::append_big_endian(frame_, static_cast<std::uint32_t>(body.size()));
    frame_ += body;
    answer_.clear();
    for (std::string_view rest = frame_; !rest.empty();) {
      const auto room = protocol_->room();
      const std::size_t count = std::min(room.size(), rest.size());
      std::copy_n(rest.data(), count, room.data());
      rest.remove_prefix(count);
      for (tcp::State state = protocol_->received(count); state.writes;) {
        const tcp::Output output = protocol_->output();
        answer_.append(output.first).append(output.second);
        state = protocol_->sent();
      }
    }
    if (answer_.size() >= head && answer_[4] != error) return std::string_view(answer_).substr(head);
    std::fprintf(stderr, "%s\n", answer_.c_str());
    std::exit(1);
  }

  void run_statement(std::string_view statement) {
    std::string body;
    append_value(body, statement);
    ask(query, body + std::string("\0\1\0", 3));
  }

  /// Returns the id of a prepared statement.
  std::string prepared(std::string_view statement) {
    std::string body;
    append_value(body, statement);
    const std::string_view answer = ask(prepare, body);
    const auto size = base::load_big_endian<std::uint16_t>(answer.data() + 4);
    return std::string(answer.substr(6, size));
  }

  void run(std::function<void()>, tcp::Action) override { std::exit(2); }
  tcp::Post post() override {
    return [](tcp::Action) { return false; };
  }

 private:
  std::unique_ptr<tcp::Protocol> protocol_;
  std::string frame_;
  std::string answer_;
};

std::string key_of(std::size_t number) {
  return "customer" + std::to_string(number);
}

/// Times of one kind of request with both.
void print(const char* name, double of_dynamodb, double of_keyspaces) {
  std::printf("%-24s %7.2f us %7.2f us %7.2f\n", name, of_dynamodb, of_keyspaces, of_keyspaces / of_dynamodb);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t rows = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
  const std::string text(text_bytes, 'x');
  std::mt19937_64 random(1);

  bench::InProcessServer dynamodb;
  dynamodb.call("CreateTable", R"({"TableName":"Rows","BillingMode":"PAY_PER_REQUEST","KeySchema":[)"
                               R"({"AttributeName":"pk","KeyType":"HASH"}],)"
                               R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]})");
  const auto put_item = [&](std::size_t number) {
    dynamodb.call("PutItem", R"({"TableName":"Rows","Item":{"pk":{"S":")" + key_of(number) +
                                 R"("},"n":{"N":")" + std::to_string(number) + R"("},"text":{"S":")" + text +
                                 R"("}}})");
  };
  const auto get_item = [&](std::size_t number) {
    dynamodb.call("GetItem", R"({"TableName":"Rows","ConsistentRead":true,"Key":{"pk":{"S":")" +
                                 key_of(number) + R"("}}})");
  };

  base::SystemClock clock;
  base::SystemIds ids;
  tenancy::Worlds worlds(worlds_options(), clock, ids);
  cql::Service service({}, worlds, clock, ids);
  Connection connection(service);
  connection.run_statement("CREATE KEYSPACE k WITH replication = {'class': 'SingleRegionStrategy'}");
  connection.run_statement("CREATE TABLE k.t (pk text PRIMARY KEY, n bigint, body text)");
  const std::string insert = connection.prepared("INSERT INTO k.t (pk, n, body) VALUES (?, ?, ?)");
  const std::string select = connection.prepared("SELECT pk, n, body FROM k.t WHERE pk = ?");
  const auto beginning = [](const std::string& id, std::uint16_t values) {
    std::string body;
    append_text(body, id);
    base::append_big_endian(body, std::uint16_t{6});  // LOCAL_QUORUM
    body.push_back('\x01');                           // with values
    base::append_big_endian(body, values);
    return body;
  };
  const auto write = [&](std::size_t number) {
    std::string body = beginning(insert, 3);
    append_value(body, key_of(number));
    std::string bytes;
    base::append_big_endian(bytes, static_cast<std::uint64_t>(number));
    append_value(body, bytes);
    append_value(body, text);
    connection.ask(Connection::execute, body);
  };
  const auto read = [&](std::size_t number) {
    std::string body = beginning(select, 1);
    append_value(body, key_of(number));
    connection.ask(Connection::execute, body);
  };

  for (std::size_t i = 0; i < rows; ++i) {
    put_item(i);
    write(i);
  }
  std::printf("%-24s %10s %10s %7s\n", "", "DynamoDB", "Keyspaces", "ratio");
  const auto any = [&] { return random() % rows; };
  print("replace a row", measure([&](std::size_t) { put_item(any()); }),
        measure([&](std::size_t) { write(any()); }));
  print("read a row", measure([&](std::size_t) { get_item(any()); }),
        measure([&](std::size_t) { read(any()); }));
}
