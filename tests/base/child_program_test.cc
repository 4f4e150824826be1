#include "dinette/base/child_program.h"

#include <cerrno>
#include <csignal>
#include <stop_token>
#include <string>

#include <catch2/catch.hpp>

namespace dinette::base::child_program_test {
namespace {

using namespace std::chrono_literals;
using End = ProgramResult::End;

ProgramCall shell(std::string script) {
  return {.arguments = {"sh", "-c", std::move(script)}, .input = ""};
}

TEST_CASE("a program gets its input, and its output and exit code are returned") {
  const std::string input(300'000, 'x');
  auto call = shell("cat; printf sad >&2; exit 3");
  call.input = input;
  call.most_output = input.size();
  call.kept_errors = 100;
  const auto result = run_program(call);
  CHECK(result.end == End::exited);
  CHECK(result.code == 3);
  CHECK(result.output == input);
  CHECK(result.errors == "sad");
  CHECK_FALSE(result.succeeded());
}

TEST_CASE("a program need not read its input") {
  const std::string input(300'000, 'x');
  auto call = shell("printf done");
  call.input = input;
  CHECK(run_program(call).output == "done");
}

TEST_CASE("only the last errors are kept") {
  auto call = shell("printf 'first last' >&2");
  call.kept_errors = 4;
  CHECK(run_program(call).errors == "last");
}

TEST_CASE("a program that cannot be started is reported") {
  const auto result = run_program({.arguments = {"/no/such/program"}});
  CHECK(result.end == End::not_started);
  CHECK(result.code == ENOENT);
  CHECK(run_program({}).end == End::not_started);
}

TEST_CASE("a program that takes too long is ended, and in its own group with what it has started") {
  auto call = shell("sleep 1000");
  call.timeout = 50ms;
  call.own_group = true;
  CHECK(run_program(call).end == End::timed_out);
  auto silent = shell("exec >&- 2>&-; exec sleep 1000");
  silent.timeout = 50ms;
  CHECK(run_program(silent).end == End::timed_out);
}

TEST_CASE("a program is ended when a stop is requested") {
  std::stop_source stop;
  stop.request_stop();
  CHECK(run_program(shell("exec sleep 1000"), stop.get_token()).end == End::timed_out);
}

TEST_CASE("a program that writes too much is ended") {
  CHECK(run_program(shell("exec yes")).end == End::too_much);
}

TEST_CASE("a program that a signal ends is reported") {
  const auto result = run_program(shell("kill -TERM $$"));
  CHECK(result.end == End::signalled);
  CHECK(result.code == SIGTERM);
}

}  // namespace
}  // namespace dinette::base::child_program_test
