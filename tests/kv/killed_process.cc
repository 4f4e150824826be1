#include "kv/killed_process.h"

#include <csignal>
#include <stdexcept>

#include <sys/wait.h>
#include <unistd.h>

namespace dinette::test {
namespace {

[[noreturn]] void run(int out, const std::function<void(const std::function<void(Report)>&)>& body) {
  try {
    // One write() of so few bytes is never torn.
    body([out](Report report) { (void)!::write(out, &report, sizeof report); });
  } catch (...) {
  }
  _exit(0);
}

}  // namespace

std::vector<Report> run_and_kill(std::size_t count,
                                 const std::function<void(const std::function<void(Report)>&)>& body) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) run(pipe_ends[1], body);
  close(pipe_ends[1]);
  std::vector<Report> reports;
  for (Report report; ::read(pipe_ends[0], &report, sizeof report) == sizeof report;) {
    reports.push_back(report);
    if (reports.size() == count) kill(child, SIGKILL);
  }
  close(pipe_ends[0]);
  waitpid(child, nullptr, 0);
  return reports;
}

}  // namespace dinette::test
