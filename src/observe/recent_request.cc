#include "dinette/observe/recent_request.h"

namespace dinette::observe {

RecentRequest RecentRequest::of(const AnsweredRequest& answered, base::TimePoint time) {
  return {.time = time,
          .id = std::string(answered.id),
          .operation = std::string(answered.operation),
          .status = answered.status,
          .error = std::string(answered.error),
          .duration = std::chrono::duration_cast<std::chrono::microseconds>(answered.duration),
          .remote = std::string(answered.remote),
          .agent = std::string(answered.agent.substr(0, most_agent_bytes)),
          .details = answered.details,
          .request = BodyText::of(answered.request),
          .response = BodyText::of(answered.response),
          .explanation = std::string(answered.explanation),
          .trace = std::string(answered.trace)};
}

std::size_t RecentRequest::bytes() const {
  std::size_t sum = sizeof *this + operation.size() + remote.size() + agent.size() + request.text.size() +
                    response.text.size() + explanation.size() + details.world.size();
  for (const TableUse& table : details.tables) sum += sizeof table + table.name.size();
  for (const ItemChange& change : details.changes)
    sum += sizeof change + change.before.text.size() + change.after.text.size();
  return sum;
}

}  // namespace dinette::observe
