#include "app/tables/application.h"

#include <algorithm>
#include <utility>

#include "app/tables/table_difference.h"

namespace dinette::app {

using Outcome = AppliedResource::Outcome;

AppliedResource Application::run() {
  const Presence presence = look();
  if (presence == Presence::absent) {
    finish(create(), Outcome::created);
  } else if (presence == Presence::present && existing_ == OnDifference::skip) {
    applied_.outcome = Outcome::skipped;
  } else if (presence == Presence::present && compare()) {
    change();
  }
  return std::move(applied_);
}

void Application::change() {
  const auto fixed = std::ranges::find_if(applied_.differences, &Difference::needs_new_table);
  if (applied_.differences.empty()) {
    applied_.outcome = Outcome::unchanged;
  } else if (existing_ == OnDifference::keep) {
    applied_.outcome = Outcome::differs;
  } else if (existing_ == OnDifference::replace && is_replaceable()) {
    finish(remove() && create(), Outcome::replaced);
  } else if (fixed != applied_.differences.end()) {
    fail(needs_new_table(*fixed));
  } else {
    finish(update(), Outcome::updated);
  }
}

}  // namespace dinette::app
