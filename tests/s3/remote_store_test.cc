#include "dinette/s3/remote_store.h"

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/http/server.h"
#include "dinette/objects/object_store.h"

#include "s3/fixture.h"

/// An S3 elsewhere, which is our own or a handler of the test.
namespace dinette::s3::remote_store_test {
namespace {

using namespace std::chrono_literals;
using objects::ErrorKind;

constexpr std::size_t read_size = 10;
constexpr std::size_t part_size = 5 << 20;

aws::SigningIdentity identity() {
  return {.access_key = "key", .secret = "secret", .session_token = "", .region = "eu-west-1"};
}

ServiceOptions verifying() {
  ServiceOptions options;
  options.auth.mode = aws::AuthMode::verify;
  options.auth.credentials["key"] = {"secret", "", ""};
  return options;
}

http::ServerOptions with_workers() {
  http::ServerOptions options;
  options.tcp.threads = 1;
  options.tcp.waiters = 2;
  return options;
}

/// A server whose handler sees each request, with the store that calls it.
struct Place {
  using Handler = std::function<void(const http::Request&, http::Response&)>;

  explicit Place(Handler handler, const aws::SigningIdentity& who = identity())
      : handler_(std::move(handler)),
        server_(with_workers(),
                [this](const http::Request& request, http::Response& response) { note(request, response); }),
        store({.server = {.port = server_.start().value()},
               .identity = who,
               .timeout = 20s,
               .pauses = {1ms, 1ms},
               .read_size = read_size,
               .part_size = part_size},
              clock_) {}

  /// The methods and targets of all requests so far.
  std::vector<std::string> requests() const {
    const std::lock_guard guard(mutex_);
    return requests_;
  }

 private:
  void note(const http::Request& request, http::Response& response) {
    if (request.may_wait) {
      const std::lock_guard guard(mutex_);
      requests_.push_back(std::string(request.method) + " " + std::string(request.target));
    }
    handler_(request, response);
  }

  base::ManualClock clock_{std::chrono::sys_days(std::chrono::year(2026) / 1 / 31) + std::chrono::hours(8)};
  Handler handler_;
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  http::Server server_;

 public:
  RemoteStore store;
};

/// Lets workers run the handler.
Place::Handler waiting(Place::Handler handler) {
  return [handler = std::move(handler)](const http::Request& request, http::Response& response) {
    response.must_wait = !request.may_wait;
    if (!response.must_wait) handler(request, response);
  };
}

/// Our own S3, which verifies signatures.
struct Ours {
  Fixture there{verifying()};
  Place place{[this](const http::Request& request, http::Response& response) {
    there.service.handle(request, response);
  }};
  objects::ObjectStore& store = place.store;
};

Place::Handler answers(int status, const std::string& body) {
  return waiting([=](const http::Request&, http::Response& response) {
    response.status = status;
    response.body = body;
  });
}

std::string read_all(objects::ObjectReader& reader) {
  std::string text;
  std::string room(7, '\0');
  for (;;) {
    const auto size = reader.read(room);
    REQUIRE(size.ok());
    if (*size == 0) return text;
    text.append(room, 0, *size);
  }
}

std::vector<std::string> keys_of(const objects::Listing& listing) {
  std::vector<std::string> keys;
  for (const objects::ObjectInfo& object : listing.objects) keys.push_back(object.key);
  return keys;
}

const std::vector<std::string> awkward{"a",     "a b",  "a&b", "a+b", "a//b", "a/b", "a?x=1", "a%2Fb",
                                       "%",     "a\nb", "ä/ö", "a=b", "~",    "a;b", "a'b",   "<a>",
                                       "a b/c", "#",    "a:b", "a*b", "a\"b", "a@b", "a,b"};

}  // namespace

TEST_CASE("objects of any length and key are written to and read from an S3 elsewhere") {
  Ours ours;
  REQUIRE(ours.there.store->create_bucket("bucket").ok());
  const std::size_t parts = 2 * part_size + 100;
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, read_size - 1, read_size, read_size + 1,
                                 3 * read_size, 3 * read_size + 1, part_size, parts}) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i * 7);
    const std::string key = "size/" + std::to_string(size);
    const auto put = objects::put(ours.store, "bucket", key, bytes);
    REQUIRE(put.ok());
    CHECK(put->size == size);
    const auto reader = ours.store.open("bucket", key);
    REQUIRE(reader.ok());
    CHECK((*reader)->info().size == size);
    const std::size_t from = size < part_size ? size / 2 : size - 2 * read_size;
    if (size < part_size) CHECK(read_all(**reader) == bytes);
    REQUIRE((*reader)->seek(from).ok());
    CHECK(read_all(**reader) == bytes.substr(from));
    const auto there = ours.there.store->open("bucket", key);
    std::string whole(size + 1, '\0');
    std::size_t read = 0;
    while (const std::size_t more = (*there)->read(std::span(whole).subspan(read)).value()) read += more;
    CHECK(std::string_view(whole).substr(0, read) == bytes);
  }
  for (const std::string& key : awkward) {
    INFO(key);
    REQUIRE(objects::put(ours.store, "bucket", key, key).ok());
    const auto reader = ours.store.open("bucket", key);
    REQUIRE(reader.ok());
    CHECK(read_all(**reader) == key);
  }
}

TEST_CASE("objects elsewhere are listed in order, page by page") {
  Ours ours;
  ours.there.fill(awkward);
  std::vector<std::string> sorted = awkward;
  std::ranges::sort(sorted);
  CHECK(keys_of(*ours.store.list("bucket", {})) == sorted);
  std::string after;
  for (const std::string& key : sorted) {
    const auto page = ours.store.list("bucket", {.after = after, .limit = 1});
    REQUIRE(page.ok());
    REQUIRE(keys_of(*page) == std::vector{key});
    CHECK(page->objects.front().size == key.size());
    CHECK(page->more == (key != sorted.back()));
    after = key;
  }
  CHECK(keys_of(*ours.store.list("bucket", {.prefix = "a b"})) == std::vector<std::string>{"a b", "a b/c"});
}

TEST_CASE("objects elsewhere are listed by common prefixes, page by page") {
  Ours ours;
  ours.there.fill({"a", "a/1", "a/2", "b", "c/1", "d//e"});
  objects::ListRequest request{.limit = 2, .delimiter = "/"};
  const auto first = ours.store.list("bucket", request);
  REQUIRE(first.ok());
  CHECK(keys_of(*first) == std::vector<std::string>{"a"});
  CHECK(first->prefixes == std::vector<std::string>{"a/"});
  CHECK(first->more);
  request.after = objects::continuation_of(*first);
  const auto second = ours.store.list("bucket", request);
  REQUIRE(second.ok());
  CHECK(keys_of(*second) == std::vector<std::string>{"b"});
  CHECK(second->prefixes == std::vector<std::string>{"c/"});
  request.after = objects::continuation_of(*second);
  CHECK(ours.store.list("bucket", request)->prefixes == std::vector<std::string>{"d/"});
  CHECK_FALSE(ours.store.list("bucket", request)->more);
}

TEST_CASE("an ETag of parts is asked of the S3 elsewhere by writing in parts") {
  Ours ours;
  REQUIRE(ours.there.store->create_bucket("bucket").ok());
  const auto writer = ours.store.write("bucket", "k", {{"Content-Type", "text/csv"}});
  REQUIRE((*writer)->write("abc").ok());
  const auto info = (*writer)->finish("59adb24ef3cdbe0297f05b395827453f-1");
  REQUIRE(info.ok());
  CHECK(info->etag.ends_with("-1"));
  const auto there = ours.there.store->open("bucket", "k");
  REQUIRE(there.ok());
  CHECK((*there)->info().etag == info->etag);
  CHECK((*there)->info().headers.front().second == "text/csv");
}

TEST_CASE("nothing is seen of an object elsewhere that was not finished") {
  Ours ours;
  REQUIRE(ours.there.store->create_bucket("bucket").ok());
  {
    const auto writer = ours.store.write("bucket", "k");
    REQUIRE((*writer)->write(std::string(part_size + 1, 'x')).ok());
  }
  CHECK(ours.place.requests().back().starts_with("DELETE /bucket/k?uploadId="));
  CHECK(ours.store.list("bucket", {})->objects.empty());
}

TEST_CASE("an object that is replaced while it is read cannot be read on") {
  Ours ours;
  REQUIRE(ours.there.store->create_bucket("bucket").ok());
  REQUIRE(objects::put(*ours.there.store, "bucket", "k", std::string(30, 'a')).ok());
  const auto reader = ours.store.open("bucket", "k");
  REQUIRE(reader.ok());
  REQUIRE(objects::put(*ours.there.store, "bucket", "k", std::string(30, 'b')).ok());
  std::string room(read_size, '\0');
  REQUIRE((*reader)->read(room).ok());
  CHECK(room == std::string(read_size, 'a'));
  const auto on = (*reader)->read(room);
  REQUIRE_FALSE(on.ok());
  CHECK(on.error().kind == ErrorKind::failed);
  CHECK(on.error().message == "the object has changed while it was read");
}

TEST_CASE("errors of an S3 elsewhere have their kind") {
  Ours ours;
  CHECK(ours.store.list("missing", {}).error().kind == ErrorKind::no_such_bucket);
  CHECK(objects::put(ours.store, "missing", "k", "v").error().kind == ErrorKind::no_such_bucket);
  CHECK(objects::put(ours.store, "missing", "k", std::string(part_size + 1, 'v')).error().kind ==
        ErrorKind::no_such_bucket);
  REQUIRE(ours.there.store->create_bucket("bucket").ok());
  CHECK(ours.store.open("bucket", "k").error().kind == ErrorKind::no_such_object);
  CHECK(objects::put(ours.store, "bucket", std::string(1025, 'k'), "v").error().kind ==
        ErrorKind::invalid_key);
  CHECK(ours.place.requests().size() == 5);  // none of them was sent twice

  auto other = identity();
  other.secret = "wrong";
  const auto handler = [&](const http::Request& request, http::Response& response) {
    ours.there.service.handle(request, response);
  };
  Place wrong(handler, other);
  CHECK(wrong.store.list("bucket", {}).error().kind == ErrorKind::access_denied);
}

TEST_CASE("what an S3 elsewhere answers by 5xx is tried again, up to a bound") {
  int left = 2;
  const std::string listing =
      "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a+b%2Bc</Key><Size>7</Size>"
      "</Contents><EncodingType>url</EncodingType></ListBucketResult>";
  Place recovering(waiting([&](const http::Request&, http::Response& response) {
    response.status = left-- > 0 ? 503 : 200;
    response.body = listing;
  }));
  CHECK(keys_of(*recovering.store.list("bucket", {})) == std::vector<std::string>{"a b+c"});
  CHECK(recovering.requests().size() == 3);

  Place broken(answers(500, "<Error><Code>InternalError</Code><Message>Oh</Message></Error>"));
  const auto listed = broken.store.list("bucket", {});
  REQUIRE_FALSE(listed.ok());
  CHECK(listed.error().kind == ErrorKind::failed);
  CHECK(listed.error().message.ends_with("answered 500 InternalError: Oh"));
  CHECK(broken.requests().size() == 3);
}

TEST_CASE("an answer that is not one of S3 is an error") {
  for (const char* const body : {"", "nothing", "<html></html>", "<Error><Code>SlowDown</Code></Error>"}) {
    INFO(body);
    Place place(answers(200, body));
    CHECK(place.store.list("bucket", {}).error().kind == ErrorKind::failed);
    CHECK(objects::put(place.store, "bucket", "k", std::string(part_size + 1, 'v')).error().kind ==
          ErrorKind::failed);
  }
  CHECK(Place(answers(206, "abc")).store.open("bucket", "k").error().kind == ErrorKind::failed);
  CHECK(Place(answers(403, "")).store.open("bucket", "k").error().kind == ErrorKind::access_denied);
}

TEST_CASE("a server that is not there is an error") {
  std::uint16_t port = 0;
  {
    http::Server gone(with_workers(), [](const http::Request&, http::Response&) {});
    port = gone.start().value();
  }
  const base::SystemClock clock;
  RemoteStore store({.server = {.port = port}, .identity = identity(), .pauses = {1ms}}, clock);
  const auto listed = store.list("bucket", {});
  REQUIRE_FALSE(listed.ok());
  CHECK(listed.error().kind == ErrorKind::failed);
  CHECK(listed.error().message == "the S3 at 127.0.0.1:" + std::to_string(port) + " cannot be reached");
}

TEST_CASE("stopping ends a call that waits for an answer, and all others") {
  std::mutex mutex;
  std::condition_variable changed;
  bool asked = false;
  bool over = false;
  Place place(waiting([&](const http::Request&, http::Response&) {
    std::unique_lock lock(mutex);
    asked = true;
    changed.notify_all();
    changed.wait(lock, [&] { return over; });
  }));
  std::thread stopper([&] {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return asked; });
    place.store.stop();
  });
  const auto listed = place.store.list("bucket", {});
  {
    const std::lock_guard lock(mutex);
    over = true;
    changed.notify_all();
  }
  stopper.join();
  CHECK(listed.error().kind == ErrorKind::stopped);
  CHECK(place.store.open("bucket", "k").error().kind == ErrorKind::stopped);
}

}  // namespace dinette::s3::remote_store_test
