#include "kv/postgres_cluster.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dinette/base/child_program.h"

#include "kv/holding_engine.h"

namespace dinette::test {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// Returns the path of a program of the server: of Debian's newest version, or by PATH.
std::string program(const std::string& name) {
  fs::path newest;
  std::error_code none;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", none)) {
    if (fs::exists(version.path() / "bin" / name)) newest = std::max(newest, version.path());
  }
  return newest.empty() ? name : (newest / "bin" / name).string();
}

/// The server refuses to run as root: then it runs as the user that its package has made.
Words as_its_user(Words words) {
  if (geteuid() != 0) return words;
  Words whole = {"setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"};
  whole.insert(whole.end(), words.begin(), words.end());
  return whole;
}

void give_to_its_user(const fs::path& folder) {
  if (geteuid() != 0) return;
  const passwd* const user = getpwnam("postgres");
  if (user == nullptr)
    throw std::runtime_error("there is no user postgres: scripts/setup installs PostgreSQL");
  if (chown(folder.c_str(), user->pw_uid, user->pw_gid) != 0) throw std::runtime_error("chown failed");
}

std::string run(const Words& words) {
  const auto result = base::run_program({.arguments = words, .kept_errors = 4096});
  if (!result.succeeded())
    throw std::runtime_error(words.front() + " failed: " + result.errors + result.output);
  return result.output;
}

/// Starts a program that ends with this one. Its output goes to `log`.
pid_t start_program(const Words& words, const fs::path& log) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child > 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGQUIT);
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  dup2(out, 1);
  dup2(out, 2);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

PostgresCluster::PostgresCluster() {
  give_to_its_user(folder_.path());
  run(as_its_user({program("initdb"), "--pgdata", folder_.path() / "data", "--username", "dinette", "--auth",
                   "trust", "--no-sync", "--encoding", "UTF8", "--no-locale"}));
  start();
  sql("create database dinette", "postgres");
}

PostgresCluster::~PostgresCluster() {
  stop();
}

void PostgresCluster::start() {
  Words words = {program("postgres"), "-D", folder_.path() / "data", "-k", folder_.path()};
  for (const char* setting :
       {"listen_addresses=", "fsync=off", "full_page_writes=off", "max_connections=200",
        "shared_buffers=64MB", "autovacuum_naptime=1s", "deadlock_timeout=100ms", "log_min_messages=fatal"}) {
    words.insert(words.end(), {"-c", setting});
  }
  Words whole = as_its_user(std::move(words));
  if (whole.front() == "setpriv") whole.insert(whole.begin() + 1, "--pdeathsig=QUIT");
  server_ = start_program(whole, folder_.path() / "log");
  const Words ask = {program("pg_isready"), "-q", "-h", folder_.path(), "-t", "1"};
  while (!base::run_program({.arguments = ask}).succeeded()) {
    if (waitpid(server_, nullptr, WNOHANG) != 0) throw std::runtime_error("PostgreSQL has ended");
  }
}

void PostgresCluster::stop() {
  if (server_ == 0) return;
  kill(server_, SIGQUIT);
  waitpid(std::exchange(server_, 0), nullptr, 0);
}

std::string PostgresCluster::url(const std::string& database) const {
  return "postgresql:///" + database + "?user=dinette&host=" + folder_.path().string();
}

std::string PostgresCluster::sql(const std::string& statements, const std::string& database) const {
  return run({program("psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url(database), "-c",
              statements});
}

PostgresCluster& postgres_cluster() {
  static PostgresCluster cluster;
  return cluster;
}

std::unique_ptr<kv::Engine> make_postgres_engine() {
  static const auto engines = kv::open_postgres(postgres_cluster().url(), patient()).value();
  return std::make_unique<HoldingEngine>(engines, engines->make().value());
}

std::unique_ptr<kv::Engine> open_postgres_engine(const fs::path& folder) {
  const auto engines = kv::open_postgres(postgres_cluster().url(), patient()).value();
  const std::string name = folder.string();
  if (auto opened = engines->open(name))
    return std::make_unique<HoldingEngine>(engines, std::move(opened).value());
  auto engine = engines->make().value();
  if (!engines->keep(name, "", *engine)) throw std::runtime_error("an engine cannot be kept");
  return std::make_unique<HoldingEngine>(engines, std::move(engine));
}

}  // namespace dinette::test
