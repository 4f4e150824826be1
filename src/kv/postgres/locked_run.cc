#include "kv/postgres/locked_run.h"

#include <algorithm>
#include <utility>

#include "kv/limits.h"

namespace dinette::kv::postgres {

LockedRun::~LockedRun() {
  if (source_) source_->end();
  if (open_) roll_back(connection_);
}

CommitAttempt LockedRun::run(Engine::Body body, CommitPlan commit_plan, Deadline deadline) {
  auto declared = begin(deadline);
  if (!declared) return stopped(declared.error());
  source_ = std::make_shared<TransactionSource>(connection_, pool_.patience());
  LockedTransaction transaction(source_, world_, std::move(declared).value());
  const auto decision = decide(body, transaction);
  if (const auto& failure = source_->failure()) return stopped(*failure);
  if (!decision) return {CommitAttempt::End::failed, 0, decision.error()};
  if (*decision == Decision::abandon) return {};
  if (const auto checked = check_limits(transaction.batch()); !checked)
    return {CommitAttempt::End::failed, 0, checked.error()};
  if (transaction.batch().empty()) return {};
  return commit(std::move(commit_plan), transaction.batch());
}

SqlResult<DeclaredReads> LockedRun::begin(Deadline deadline) {
  open_ = true;
  connection_.add(text::begin);
  if (!locks_.empty()) add_locks(connection_, locks_, deadline);
  const bool reads = !plan_.reads.empty();
  if (reads) connection_.add(Statement::get_many, many_parameters(world_, plan_.reads));
  DINETTE_TRY(const std::vector<Rows> rows,
              connection_.flush(std::max(deadline, Deadline::clock::now()) + pool_.grace()));
  if (!reads) return DeclaredReads();
  std::vector<FoundEntry> found = found_among(rows.back(), plan_.reads.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i].counted()) plain_keys_.insert(plan_.reads[i]);
  }
  return DeclaredReads(plan_.reads, values_in(std::move(found)));
}

Result<Decision> LockedRun::decide(Engine::Body body, LockedTransaction& transaction) {
  DINETTE_TRY(const Decision decision, body(transaction));
  if (decision == Decision::commit) DINETTE_CHECK(transaction.batch().settle(transaction));
  return decision;
}

CommitAttempt LockedRun::stopped(const SqlError& error) {
  open_ = false;
  return before_commit(connection_, error);
}

CommitAttempt LockedRun::commit(CommitPlan plan, const WriteBatch& batch) {
  source_->end();
  open_ = false;  // commit_batch() ends it in any case
  const FoldedBatch folded = fold(batch);
  plan.begun = true;
  plan.alone |= must_be_alone(folded, plan_.locks);
  plan.plain_keys = &plain_keys_;
  return commit_batch(pool_, connection_, std::move(plan), batch, folded);
}

}  // namespace dinette::kv::postgres
