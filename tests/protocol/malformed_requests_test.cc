#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/compression.h"

#include "dynamodb/wire/endpoint.h"
#include "http/client.h"
#include "protocol/program.h"
#include "support/random_requests.h"
#include "support/random_seed.h"

// Requests that no service could accept, sent to a started server over sockets: each is refused and has no
// effect. tests/dynamodb/malformed_requests_test.cc does the same to the service alone, far more often.
namespace test::malformed_requests_test {

using dinette::http::Answer;
using dinette::http::Client;

namespace {

const int requests = dinette::test::rounds_of(12'000);
const int warm_up =
    requests * 2 / 3;  // caches and buffers have grown by then, in the threads of long requests too

/// How often the server's memory is looked at. It goes up and down by one of the largest requests.
constexpr int sample_interval = 100;

/// How much the server may grow from then on while it receives half a gigabyte: some fragments, but not one
/// of the largest requests.
constexpr std::size_t allowed_growth = 8 * 1024 * 1024;

constexpr std::size_t largest_request = 16 * 1024 * 1024;

std::string head(std::string_view target, std::string_view headers) {
  std::string text = "POST / HTTP/1.1\r\nHost: localhost\r\nX-Amz-Target: ";
  return text.append(target).append("\r\n").append(headers);
}

std::string post(std::string_view target, std::string_view body, std::string_view headers = "") {
  const std::string length = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  return head(target, std::string(headers) + length).append(body);
}

std::string target_of(std::string_view operation) {
  return "DynamoDB_20120810." + std::string(operation);
}

bool refuses(const Answer& answer) {
  return answer.status >= 400 && answer.status < 500;
}

/// The service's response to a body that does not match its Content-Encoding.
bool refuses_packed(const Answer& answer) {
  return refuses(answer) ||
         (answer.status == 500 && answer.body.find("#InternalServerError") != std::string::npos);
}

std::string gzipped(std::string_view bytes) {
  return dinette::base::compress(dinette::base::Compression::gzip, bytes);
}

const std::string& too_large_unpacked() {
  static const std::string packed = gzipped(std::string(largest_request + 1, ' '));
  return packed;
}

/// JSON that is not an object.
std::string list_of_about(std::size_t size) {
  std::string list = "[1,1";
  list.reserve(largest_request);
  while (list.size() * 2 < size) list += "," + list.substr(1);
  return list + "]";
}

/// A client that sends malformed requests of every kind.
class Attacker {
 public:
  Attacker(Random& random, std::uint16_t port) : random_(random), port_(port), client_(port) {}

  void attack() {
    struct Way {
      std::size_t weight;
      void (Attacker::*go)();
    };
    static constexpr Way ways[] = {
        {60, &Attacker::broken_body}, {8, &Attacker::chunked_body},  {8, &Attacker::packed_body},
        {2, &Attacker::large_body},   {8, &Attacker::broken_chunks}, {8, &Attacker::broken_http},
        {6, &Attacker::half_request},
    };
    std::size_t at = pick(random_, 100);
    for (const Way& way : ways) {
      if (at < way.weight) return (this->*way.go)();
      at -= way.weight;
    }
  }

 private:
  // --- Good HTTP with a broken request: a 4xx, and the connection continues.

  void broken_body() {
    const Broken broken = make();
    check_refused(post(broken.target, broken.body));
  }

  void chunked_body() {
    const Broken broken = make();
    std::string text = head(broken.target, "Transfer-Encoding: chunked\r\n\r\n");
    for (std::string_view rest = broken.body; !rest.empty();) {
      const std::string_view chunk = rest.substr(0, 1 + pick(random_, 1000));
      char size[20];
      std::snprintf(size, sizeof size, "%zx\r\n", chunk.size());
      text.append(size).append(chunk).append("\r\n");
      rest.remove_prefix(chunk.size());
    }
    check_refused(text + "0\r\n\r\n");
  }

  void packed_body() {
    constexpr std::string_view gzip = "Content-Encoding: gzip\r\n";
    const Broken broken = make();
    std::string body = gzipped(broken.body);
    switch (pick(random_, 5)) {
      case 0:
        body.resize(pick(random_, body.size()));
        if (body.empty()) body = "\x1f";
        break;
      case 1:
        body[pick(random_, body.size())] ^= static_cast<char>(1 << pick(random_, 8));
        break;
      case 2:
        body += "behind";
        break;
      case 3:
        body = too_large_unpacked();
        break;
      default:
        break;
    }
    check_refused(post(broken.target, body, gzip), refuses_packed);
  }

  void large_body() {
    auto [target, body] = make();
    const std::size_t size =
        pick(random_, 4) == 0 ? largest_request : body.size() + pick(random_, largest_request / 2);
    switch (pick(random_, 3)) {
      case 0:
        body.resize(size, ' ');
        break;
      case 1:
        body.insert(0, size - body.size(), ' ');
        break;
      default:
        body = list_of_about(size);
        break;
    }
    check_refused(post(target, body));
  }

  // --- Broken HTTP: a 4xx or nothing, and the connection ends.

  void broken_chunks() {
    static const std::vector<std::string> chunks = {"zz\r\n",
                                                    "-1\r\n",
                                                    "ffffffffffffffffff\r\n",
                                                    "5\r\nabcdeXX\r\n",
                                                    "\r\n",
                                                    "1000001\r\n",
                                                    "5\r\nabcde",
                                                    "1\r\na\r\n0\r\nx",
                                                    "5 5\r\nabcde\r\n",
                                                    "0x5\r\nabcde\r\n",
                                                    "7fffffff\r\n{",
                                                    "2\r\n{}\r\n2\r\n",
                                                    ";\r\n",
                                                    "\x80\r\n"};
    check_ended(head(some_target(), "Transfer-Encoding: chunked\r\n\r\n") + one_of(random_, chunks));
  }

  void broken_http() {
    static const std::vector<std::string> lines = {
        "Content-Length: -5\r\n\r\n",
        "Content-Length: five\r\n\r\n",
        "Content-Length: 99999999999999999999\r\n\r\n",
        "Content-Length: 16777217\r\n\r\n",
        "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
        "Transfer-Encoding: gzip\r\n\r\n",
        "No colon\r\n\r\n",
        "Name : x\r\n\r\n",
        "X: " + std::string(40'000, 'x') + "\r\n\r\n",
        "X: a\x01z\r\n\r\n",
        "X: folded\r\n on\r\n\r\n",
    };
    switch (pick(random_, 4)) {
      case 0: {
        std::string bytes(1 + pick(random_, 2000), '\0');
        for (char& c : bytes) c = static_cast<char>(random_());
        return check_ended(bytes);
      }
      case 1:
        return check_ended("POST / HTTP/" + std::to_string(2 + pick(random_, 8)) + ".0\r\n\r\n");
      case 2: {
        std::string many;
        for (int i = 0; i < 300; ++i) many += "X" + std::to_string(i) + ": x\r\n";
        return check_ended(head(some_target(), many + "\r\n"));
      }
      default:
        return check_ended(head(some_target(), one_of(random_, lines)));
    }
  }

  /// A good request, cut off before its end.
  void half_request() {
    const std::string item = R"({"TableName":"Music","Item":{"pk":{"S":"half"}}})";
    const std::string whole = post(target_of("PutItem"), item);
    Client dropped(port_);
    (void)dropped.send(std::string_view(whole).substr(0, pick(random_, whole.size())));
  }

  // --- Parts of requests.

  struct Broken {
    std::string_view target;
    std::string body;
  };

  std::string_view some_target() { return one_of(random_, dinette::dynamodb::wire::served_targets()); }

  Broken make() {
    namespace wire = dinette::dynamodb::wire;
    const std::size_t position = pick(random_, wire::endpoints().size());
    const auto& chosen = *wire::endpoints()[position].operation;
    // A batch of statements is answered one by one (docs/service/partiql.md section 7).
    if (chosen.name == "BatchExecuteStatement") return make();
    std::string notes;
    return {wire::served_targets()[position], breaker_.broken(chosen, maker_.request(chosen), notes)};
  }

  void check_refused(const std::string& text, bool (*fits)(const Answer&) = refuses) {
    const bool sent = client_.send(text);
    const Answer answer = client_.receive();
    if (sent && fits(answer) && !answer.has("Connection: close\r\n")) return;
    FAIL(text.substr(0, 2000) << " -> " << answer.head << answer.body.substr(0, 2000));
  }

  void check_ended(const std::string& text) {
    Client client(port_);
    (void)client.send(text);
    client.half_close();
    const Answer answer = client.receive();
    if ((answer.status == 0 || refuses(answer)) && client.closed_by_server()) return;
    FAIL(text.substr(0, 2000) << " -> " << answer.head << answer.body.substr(0, 2000));
  }

  Random& random_;
  RequestMaker maker_{random_};
  RequestBreaker breaker_{random_};
  std::uint16_t port_;
  Client client_;
};

/// Creates the tables of the requests, with a few items.
class Data {
 public:
  explicit Data(std::uint16_t port) : client_(port) {
    good("CreateTable", R"({"TableName":"Music","BillingMode":"PAY_PER_REQUEST",)"
                        R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
                        R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]})");
    good("CreateTable",
         R"({"TableName":"Numbers","BillingMode":"PAY_PER_REQUEST",)"
         R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],)"
         R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"N"},)"
         R"({"AttributeName":"sk","AttributeType":"B"}]})");
    for (const std::string key : keys_) {
      good("PutItem", R"({"TableName":"Music","Item":{"pk":{"S":")" + key +
                          R"("},"a":{"S":"text"},"n":{"N":"1"},"things":{"L":[{"S":"x"}]}}})");
    }
  }

  /// All that the server tells of its tables and items. The counts of the tables tell of items that are none
  /// of ours.
  std::vector<std::string> all() {
    std::vector<std::string> answers = {good("ListTables", "{}"),
                                        good("DescribeTable", R"({"TableName":"Music"})"),
                                        good("DescribeTable", R"({"TableName":"Numbers"})")};
    for (const std::string key : keys_)
      answers.push_back(good("GetItem", R"({"TableName":"Music","Key":{"pk":{"S":")" + key + R"("}}})"));
    return answers;
  }

 private:
  std::string good(std::string_view operation, const std::string& body) {
    const Answer answer = client_.ask(post(target_of(operation), body));
    INFO(operation << " " << body << " -> " << answer.body);
    REQUIRE(answer.status == 200);
    return answer.body;
  }

  static constexpr const char* keys_[] = {"pk", "sk", "a", "b", "things"};
  Client client_;
};

}  // namespace

TEST_CASE("malformed requests over a socket are refused, change nothing, and cost no memory") {
  Random random(dinette::test::random_seed());
  Program program;
  Data data(program.port());
  const auto before = data.all();
  std::size_t memory_before = 0;                                       // the most of the warm-up
  std::size_t memory_after = std::numeric_limits<std::size_t>::max();  // the least of the end
  {
    Attacker attacker(random, program.port());
    for (int i = 0; i < requests; ++i) {
      attacker.attack();
      if (i % sample_interval != 0) continue;
      if (i < warm_up) memory_before = std::max(memory_before, program.resident_bytes());
      if (i >= requests - requests / 12) memory_after = std::min(memory_after, program.resident_bytes());
    }
  }
  CAPTURE(memory_before, memory_after);
  if (!dinette::test::sanitized) CHECK(memory_after < memory_before + allowed_growth);
  CHECK((data.all() == before));
  CHECK(program.stop());
}

}  // namespace test::malformed_requests_test
