#include <atomic>
#include <chrono>
#include <set>
#include <string>
#include <thread>

#include <catch2/catch.hpp>

#include "dinette/base/waiting.h"

#include "kv/engine_calls.h"
#include "kv/in_threads.h"
#include "kv/postgres/commit.h"
#include "kv/postgres/connection.h"
#include "kv/postgres/pool.h"
#include "kv/postgres_cluster.h"
#include "kv/postgres_relay.h"

namespace dinette::test::postgres_faults_test {

using namespace kv;
using namespace std::chrono_literals;

namespace {

std::shared_ptr<Engine> engine_at(const std::string& url, const PostgresOptions& options = patient()) {
  const auto engines = open_postgres(url, options).value();
  struct Held {
    std::shared_ptr<Engines> engines;
    std::shared_ptr<Engine> engine;
  };
  const auto held = std::make_shared<Held>(Held{engines, engines->make().value()});
  return {held, held->engine.get()};
}

Result<CommitNumber> append(Engine& engine, std::string_view value) {
  WriteBatch batch;
  batch.put_in_commit_order("log", Value(value));
  batch.add("count", {1});
  return engine.write(batch);
}

std::vector<std::string> log_of(const Engine& engine) {
  std::vector<std::string> values;
  for (const auto& [key, value] : forward(*engine.snapshot().value(), {"log", "loh"}))
    values.push_back(value);
  return values;
}

std::int64_t count_in(const Engine& engine) {
  return read_counter(get(engine, "count").value_or(""), 0);
}

std::string error_at_start(const std::string& url) {
  const auto opened = open_postgres(url, {.patience = 2s});
  REQUIRE_FALSE(opened.ok());
  return opened.error().message;
}

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("PostgreSQL: a commit whose answer is lost is found to have taken place, with its number") {
  PostgresRelay relay(postgres_cluster().sockets());
  const auto engine = engine_at(relay.url());
  REQUIRE(append(*engine, "before").ok());
  relay.cut_next(PostgresRelay::Cut::after);
  const auto number = append(*engine, "in doubt");
  REQUIRE(number.ok());
  CHECK(log_of(*engine) == std::vector<std::string>{"before", "in doubt"});
  CHECK(count_in(*engine) == 2);
  std::string key = "log";
  CommitPosition{*number, 0}.append_to(key);
  CHECK(get(*engine, key) == "in doubt");
}

TEST_CASE("PostgreSQL: a commit that did not reach the database is done again, once") {
  PostgresRelay relay(postgres_cluster().sockets());
  const auto engine = engine_at(relay.url());
  REQUIRE(append(*engine, "before").ok());
  relay.cut_next(PostgresRelay::Cut::before);
  REQUIRE(append(*engine, "in doubt").ok());
  CHECK(log_of(*engine) == std::vector<std::string>{"before", "in doubt"});
  CHECK(count_in(*engine) == 2);
}

TEST_CASE("PostgreSQL: a transaction in doubt is resolved as well") {
  PostgresRelay relay(postgres_cluster().sockets());
  const auto engine = engine_at(relay.url());
  put(*engine, {{"a", "1"}});
  const std::string_view reads[] = {"a"};
  const ReadSet read_set = engine->read_set(reads).value();
  const auto cut = GENERATE(PostgresRelay::Cut::before, PostgresRelay::Cut::after);
  const bool locked = GENERATE(false, true);
  const Lock locks[] = {{"a"}};
  int runs = 0;
  const auto done =
      engine->transact({.locks = locks, .reads = reads, .read_set = locked ? nullptr : &read_set},
                       far_deadline(), [&](Transaction& transaction) -> Result<Decision> {
                         DINETTE_TRY(const auto value, transaction.get("a"));
                         transaction.batch().put("a", Value::join({value->view(), "2"}));
                         if (runs++ == 0) relay.cut_next(cut);
                         return Decision::commit;
                       });
  CHECK(done.ok());
  CHECK(get(*engine, "a") == "12");
}

TEST_CASE("PostgreSQL: a read takes one round trip, a decided write two") {
  PostgresRelay relay(postgres_cluster().sockets());
  const auto engine = engine_at(relay.url());
  const std::string_view reads[] = {"a", "b"};
  const auto write_decided = [&] {
    const ReadSet read_set = engine->read_set(reads).value();
    const Lock locks[] = {{"a"}, {"table", Lock::Mode::shared}};
    const auto done = engine->transact({.locks = locks, .reads = reads, .read_set = &read_set},
                                       far_deadline(), [](Transaction& transaction) -> Result<Decision> {
                                         transaction.batch().put("a", Value("1"));
                                         transaction.batch().add("count", {1});
                                         transaction.batch().put_in_commit_order("log", Value("1"));
                                         return Decision::commit;
                                       });
    REQUIRE(done.ok());
  };
  write_decided();  // connects
  const auto trips_of = [&](auto call) {
    const int before = relay.trips();
    call();
    return relay.trips() - before;
  };
  CHECK(trips_of([&] { (void)get(*engine, "a"); }) == 1);
  CHECK(trips_of([&] { (void)get_many(*engine, {"a", "b", "count"}); }) == 1);
  CHECK(trips_of(write_decided) == 2);
  std::shared_ptr<const Snapshot> snapshot;
  CHECK(trips_of([&] {
          snapshot = engine->snapshot().value();
          (void)snapshot->get("a");
        }) == 2);
  // Its end is sent without waiting: the answer to what follows comes after the one to it.
  snapshot.reset();
  (void)get(*engine, "a");
  CHECK(trips_of([&] {
          snapshot = engine->snapshot_at_first_read().value();
          (void)snapshot->get("a");
        }) == 1);
}

TEST_CASE("PostgreSQL: threads that read at once share round trips, also one whose connection ends") {
  constexpr int readers = 8;
  constexpr int reads = 250;
  PostgresRelay relay(postgres_cluster().sockets());
  const auto engine = engine_at(relay.url());
  const auto key_of = [](int thread) { return "key " + std::to_string(thread); };
  const auto value_of = [](int thread) { return std::string(static_cast<std::size_t>(thread) * 100, 'x'); };
  for (int thread = 0; thread < readers; ++thread) put(*engine, {{key_of(thread), value_of(thread)}});
  const bool cuts = GENERATE(false, true);
  const int before = relay.trips();
  const auto problems = in_threads(readers, [&](int thread) {
    for (int read = 0; read < reads; ++read) {
      if (cuts && thread == 0 && read % 50 == 25) relay.cut_next(PostgresRelay::Cut::after);
      const auto found = engine->get(key_of(thread));
      if (!found) throw std::runtime_error(found.error().message);
      expect(*found && (*found)->view() == value_of(thread), "another value was read");
    }
  });
  CHECK(problems == std::vector<std::string>());
  CHECK(relay.trips() - before < readers * reads);
}

TEST_CASE("PostgreSQL: a database that is away is an error of the medium, until it is back") {
  PostgresCluster cluster;
  const auto engine = engine_at(cluster.url(), {.patience = 300ms});
  put(*engine, {{"a", "1"}});
  cluster.stop();
  CHECK(engine->get("a").error().kind == ErrorKind::io);
  CHECK(append(*engine, "away").error().kind == ErrorKind::io);
  CHECK(engine->snapshot().error().kind == ErrorKind::io);
  cluster.start();
  // It may take as long as the last attempts were apart.
  while (!engine->get("a").ok()) std::this_thread::yield();
  CHECK(get(*engine, "a") == "1");
  REQUIRE(append(*engine, "back").ok());
  CHECK(log_of(*engine) == std::vector<std::string>{"back"});
}

TEST_CASE("PostgreSQL: a database that crashes under load loses nothing that was acknowledged") {
  constexpr int writers = 4;
  constexpr int crashes = 2;
  PostgresCluster cluster;
  const auto engine = engine_at(cluster.url(), {.patience = 30s});
  std::atomic<bool> over = false;
  std::atomic<int> committed = 0;
  std::vector<std::vector<std::string>> acknowledged(writers);
  std::vector<std::string> problems;
  std::thread writing([&] {
    problems = in_threads(writers, [&](int thread) {
      for (int round = 0; !over; ++round) {
        const std::string value = std::to_string(thread) + "." + std::to_string(round);
        const auto done = append(*engine, value);
        over = over || !done.ok();
        if (!done) throw std::runtime_error(done.error().message);
        acknowledged[static_cast<std::size_t>(thread)].push_back(value);
        ++committed;
      }
    });
  });
  // On this thread, because the server ends with the thread that has started it.
  for (int crash = 0; crash < crashes; ++crash) {
    const int before = committed;
    while (!over && committed < before + 50) std::this_thread::yield();
    cluster.stop();
    cluster.start();
  }
  over = true;
  writing.join();
  CHECK(problems == std::vector<std::string>{});
  const std::vector<std::string> log = log_of(*engine);
  const std::set<std::string> different(log.begin(), log.end());
  CHECK(different.size() == log.size());
  std::size_t lost = 0;
  std::size_t all = 0;
  for (const auto& of_writer : acknowledged) {
    all += of_writer.size();
    for (const std::string& value : of_writer) lost += different.contains(value) ? 0 : 1;
  }
  CHECK(lost == 0);
  CHECK(log.size() == all);
  CHECK(count_in(*engine) == static_cast<std::int64_t>(all));
}

TEST_CASE("PostgreSQL: a database that is read-only refuses writes, and takes them when it is not any more") {
  PostgresCluster cluster;
  const auto engine = engine_at(cluster.url(), {.patience = 300ms});
  put(*engine, {{"a", "1"}});
  cluster.sql("alter database dinette set default_transaction_read_only = on", "postgres");
  cluster.sql("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'dinette'", "postgres");
  CHECK(append(*engine, "refused").error().kind == ErrorKind::io);
  cluster.sql("alter database dinette reset default_transaction_read_only", "postgres");
  while (!append(*engine, "taken").ok()) std::this_thread::yield();
  CHECK(log_of(*engine) == std::vector<std::string>{"taken"});
}

TEST_CASE("PostgreSQL: an error at the start says what to do") {
  PostgresCluster& cluster = postgres_cluster();
  CHECK(has(error_at_start(cluster.url("missing")), "createdb"));
  CHECK(has(error_at_start("postgresql:///dinette?host=/nowhere"),
            "No such file or directory. Is the database running"));
  cluster.sql("create role poor login");
  cluster.sql("create database others");
  const std::string as_poor = "postgresql:///others?user=poor&host=" + cluster.sockets().string();
  CHECK(has(error_at_start(as_poor), "GRANT CREATE"));
  REQUIRE(open_postgres(cluster.url("others"), patient()).ok());
  CHECK(has(error_at_start(as_poor), "The tables of Dinette in this database belong to another role"));
  CHECK_FALSE(has(error_at_start(as_poor), "GRANT CREATE"));
  cluster.sql("update dn_schema set version = 99", "others");
  CHECK(has(error_at_start(cluster.url("others")), "another version"));
}

TEST_CASE("PostgreSQL: of a URL that cannot be read, only that is said") {
  CHECK(error_at_start("postgresql:///dinette?foo=1") == "invalid URI query parameter: \"foo\"");
  for (const char* url :
       {"postgresql://h:abc/dinette", "postgresql://[::1/dinette", "postgresql:///d?sslmode=x"}) {
    const std::string error = error_at_start(url);
    INFO(error);
    CHECK_FALSE(error.empty());
    CHECK_FALSE(has(error, "Is the database running"));
  }
}

TEST_CASE("PostgreSQL: a database that is only to be read is left as it is") {
  PostgresCluster& cluster = postgres_cluster();
  cluster.sql("create database looked_at");
  PostgresOptions reading = patient();
  reading.read_only = true;
  const auto empty = open_postgres(cluster.url("looked_at"), reading);
  REQUIRE_FALSE(empty.ok());
  CHECK(empty.error().message == "no Dinette data in this database");
  const std::string has_tables = "select count(*) > 0 from pg_class where relname like 'dn%'";
  CHECK(has(cluster.sql(has_tables, "looked_at"), "f"));
  {
    const auto engines = open_postgres(cluster.url("looked_at"), patient()).value();
    const auto engine = engines->make().value();
    put(*engine, {{"a", "1"}});
    REQUIRE(engines->keep("", "", *engine).ok());
  }
  cluster.sql("create role reader login; grant select on all tables in schema public to reader", "looked_at");
  cluster.sql("alter database looked_at set default_transaction_read_only = on");
  const auto engines =
      open_postgres("postgresql:///looked_at?user=reader&host=" + cluster.sockets().string(), reading)
          .value();
  CHECK(engines->coordinator() == nullptr);
  const auto engine = engines->open("").value();
  CHECK(get(*engine, "a") == "1");
  CHECK(engine->snapshot().value()->get("a").value()->view() == "1");
  const auto read = [](Transaction& transaction) -> Result<Decision> {
    DINETTE_CHECK(transaction.get("a"));
    return Decision::abandon;
  };
  const Lock locks[] = {{"a"}};
  CHECK(engine->transact({.locks = locks}, far_deadline(), read).ok());
  CHECK(append(*engine, "refused").error().message == "the database is only read");
  CHECK_FALSE(engine->fork().ok());
  CHECK_FALSE(engines->make().ok());
  CHECK_FALSE(engines->forget("").ok());
}

TEST_CASE("PostgreSQL: relatives that lack its locks are refused") {
  CHECK(postgres::explain_unusable("CockroachDB CCL v24.1.0 (x86_64-linux)", 130000)
            ->starts_with("CockroachDB"));
  CHECK(postgres::explain_unusable("PostgreSQL 15.2-YB-2025.1 on x86_64", 150002)->starts_with("YugabyteDB"));
  CHECK(has(*postgres::explain_unusable("PostgreSQL 14.9 (Debian) on x86_64", 140009), "15 or newer"));
  CHECK_FALSE(postgres::explain_unusable("PostgreSQL 15.20 on x86_64", 150020));
}

TEST_CASE("PostgreSQL: where waiting is not allowed, every call fails and does nothing") {
  const auto engine = engine_at(postgres_cluster().url());
  put(*engine, {{"a", "1"}});
  auto snapshot = engine->snapshot().value();
  {
    const base::WaitingScope on_a_loop(false);
    CHECK(engine->get("a").error().kind == ErrorKind::would_block);
    CHECK(engine->snapshot().error().kind == ErrorKind::would_block);
    CHECK(snapshot->get("a").error().kind == ErrorKind::would_block);
    CHECK(append(*engine, "x").error().kind == ErrorKind::would_block);
    const auto cursor = std::move(snapshot->cursor({})).value();
    CHECK(cursor->first().error().kind == ErrorKind::would_block);
    snapshot.reset();  // does not wait
  }
  CHECK(log_of(*engine).empty());
}

TEST_CASE("PostgreSQL: a connection whose statements were forgotten goes on without prepared ones") {
  postgres::Target target;
  target.url = postgres_cluster().url();
  const auto connection = postgres::Connection::open(target, far_deadline()).value();
  const auto read = [&] {
    postgres::Parameters parameters;
    parameters.number(0).bytes("").bytes("a");
    connection->add(postgres::Statement::get, parameters);
    return connection->flush(far_deadline());
  };
  CHECK(read().ok());
  connection->add("deallocate all");
  REQUIRE(connection->flush(far_deadline()).ok());
  const auto forgotten = read();
  REQUIRE_FALSE(forgotten.ok());
  CHECK(postgres::trouble_of(forgotten.error()) == postgres::SqlTrouble::unprepared);
  CHECK(read().ok());
}

TEST_CASE("PostgreSQL: a snapshot at the first read sees no later commit") {
  const auto engine = engine_at(postgres_cluster().url());
  put(*engine, {{"a", "1"}, {"b", "1"}});
  const auto snapshot = engine->snapshot_at_first_read().value();
  CHECK(snapshot->get("a").value()->view() == "1");
  put(*engine, {{"a", "2"}, {"b", "2"}});
  CHECK(snapshot->get("a").value()->view() == "1");
  CHECK(snapshot->get("b").value()->view() == "1");
  CHECK(engine->snapshot_at_first_read().value()->get("b").value()->view() == "2");
}

TEST_CASE("PostgreSQL: a range under its lock is erased while others commit, another one is not") {
  PostgresCluster& cluster = postgres_cluster();
  const auto engines = open_postgres(cluster.url(), {.patience = 200ms}).value();
  const std::shared_ptr<Engine> engine = engines->make().value();
  put(*engine, {{"t1/a", "1"}, {"t1/b", "2"}, {"t2/a", "3"}});
  // A commit that is under way.
  postgres::Target target;
  target.url = cluster.url();
  const auto other = postgres::Connection::open(target, far_deadline()).value();
  other->add(postgres::text::begin);
  const auto world = static_cast<std::int64_t>(engines->number_of(*engine));
  postgres::add_locks(*other, postgres::LockSet::of_commit(world, true), far_deadline());
  REQUIRE(other->flush(far_deadline()).ok());
  const auto erase = [&](Range range) {
    const Lock locks[] = {{"t1/"}};
    return engine->transact({.locks = locks}, far_deadline(),
                            [&](Transaction& transaction) -> Result<Decision> {
                              transaction.batch().erase_range(range);
                              return Decision::commit;
                            });
  };
  CHECK(erase({"t1/b", "t2"}).error().kind == ErrorKind::timed_out);
  CHECK(erase({"t1/", ""}).error().kind == ErrorKind::timed_out);
  CHECK(erase({"t0", "t1/b"}).error().kind == ErrorKind::timed_out);
  CHECK(erase({"t1/", "t10"}).ok());
  CHECK(all(*engine) == Entries{{"t2/a", "3"}});
}

TEST_CASE("PostgreSQL: a pool lends no more connections than it may have") {
  const auto pool =
      std::make_shared<postgres::Pool>(postgres::Pool::Settings{.url = postgres_cluster().url(), .most = 1});
  {
    const auto first = pool->lease(far_deadline());
    REQUIRE(first.ok());
    CHECK(pool->lease({}).error().state == "53300");
  }
  CHECK(pool->lease({}).ok());
  CHECK(pool->connections() == 1);
}

TEST_CASE("PostgreSQL: connections count in parts of their own, and go to the next when one is full") {
  const auto engine = engine_at(postgres_cluster().url());
  const auto problems = in_threads(4, [&](int) {
    for (int i = 0; i < 100; ++i) expect(append(*engine, "x").ok(), "a commit failed");
  });
  CHECK(problems.empty());
  CHECK(count_in(*engine) == 400);
  WriteBatch batch;
  batch.add("count", {std::numeric_limits<std::int64_t>::max()});
  write(*engine, batch);
  write(*engine, batch);
  CHECK(count_in(*engine) == 398);
  WriteBatch replacing;
  replacing.put("count", Value(""));
  write(*engine, replacing);
  CHECK(get(*engine, "count") == "");
}

TEST_CASE("PostgreSQL: a reader that follows commits that do not wait for each other misses none") {
  constexpr int writers = 4;
  constexpr int rounds = 500;
  const auto engine = engine_at(postgres_cluster().url());
  std::atomic<int> writing = writers;
  std::size_t seen = 0;
  const auto problems = in_threads(writers + 1, [&](int thread) {
    if (thread < writers) {
      for (int round = 0; round < rounds; ++round) (void)append(*engine, "x").value();
      --writing;
      return;
    }
    std::string next = "log";
    for (bool done = false; !done;) {
      done = writing == 0;
      for (const auto& [key, value] : forward(*engine->snapshot().value(), {next, "loh"})) {
        ++seen;
        next = key + '\0';
      }
    }
  });
  CHECK(problems == std::vector<std::string>{});
  CHECK(seen == writers * rounds);
}

TEST_CASE("PostgreSQL: two servers keep the same worlds, and see each other's writes") {
  const auto first = open_postgres(postgres_cluster().url(), patient()).value();
  const auto second = open_postgres(postgres_cluster().url(), patient()).value();
  const auto made = first->make().value();
  REQUIRE(first->keep("shared", "note", *made).ok());
  const auto opened = second->open("shared").value();
  put(*made, {{"a", "1"}});
  CHECK(get(*opened, "a") == "1");
  const std::string_view reads[] = {"a"};
  const ReadSet read_set = opened->read_set(reads).value();
  put(*made, {{"a", "2"}});
  const Lock locks[] = {{"a"}};
  const auto done = opened->transact({.locks = locks, .reads = reads, .read_set = &read_set}, far_deadline(),
                                     [](Transaction& transaction) -> Result<Decision> {
                                       DINETTE_TRY(const auto value, transaction.get("a"));
                                       transaction.batch().put("a", Value::join({value->view(), "3"}));
                                       return Decision::commit;
                                     });
  CHECK(done.ok());
  CHECK(get(*made, "a") == "23");
  const auto is_shared = [](const Engines::Kept& kept) {
    return kept.name == "shared" && kept.note == "note";
  };
  CHECK(std::ranges::count_if(second->kept(), is_shared) == 1);
  REQUIRE(second->forget("shared").ok());
  CHECK(std::ranges::count_if(first->kept(), is_shared) == 0);
}

TEST_CASE("PostgreSQL: the rows of a world that nothing uses any more are removed") {
  const auto rows_in = [](std::string_view world) {
    return postgres_cluster().sql("select count(*) from dn_kv where world = " + std::string(world));
  };
  const auto engines = open_postgres(postgres_cluster().url(), patient()).value();
  auto engine = engines->make().value();
  put(*engine, {{"a", "1"}, {"b", "2"}});
  const std::string world = postgres_cluster().sql("select max(world) from dn_left");
  engines->look_after();
  CHECK(rows_in(world) == "2\n");
  engine.reset();
  engines->look_after();
  CHECK(rows_in(world) == "0\n");
}

TEST_CASE("PostgreSQL: a kept world that is replaced is removed, and the new one stays") {
  const auto engines = open_postgres(postgres_cluster().url(), patient()).value();
  auto before = engines->make().value();
  put(*before, {{"a", "before"}});
  REQUIRE(engines->keep("replaced", "", *before).ok());
  auto after = engines->make().value();
  put(*after, {{"a", "after"}});
  REQUIRE(engines->keep("replaced", "", *after).ok());
  CHECK(get(*before, "a") == "before");  // requests in progress go on
  before.reset();
  after.reset();
  engines->look_after();
  CHECK(get(*engines->open("replaced").value(), "a") == "after");
}

}  // namespace dinette::test::postgres_faults_test
