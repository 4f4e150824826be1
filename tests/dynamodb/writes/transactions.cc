#include "dynamodb/writes/transactions.h"

namespace test {
namespace {

std::string in_short(const Json& reason) {
  const std::string code = reason.at("Code");
  if (code == "None") return reason.size() == 1 ? code : reason.dump();
  std::string text = code + ": " + std::string(reason.at("Message"));
  if (reason.contains("Item")) text += " + " + reason.at("Item").dump();
  return text;
}

}  // namespace

Json key_of(std::string_view pk) {
  return {{"pk", {{"S", pk}}}};
}

Json transaction(std::initializer_list<std::string_view> actions) {
  Json list = Json::array();
  for (const std::string_view action : actions) list.push_back(Json::parse(action));
  return {{"TransactItems", list}};
}

std::string cancellation(const Reply& reply) {
  if (reply.error() != "TransactionCanceledException") return std::to_string(reply.status) + " " + reply.body;
  const Json body = reply.json();
  std::string text = body.at("Message").get<std::string>() + "\n";
  for (const Json& reason : body.at("CancellationReasons")) text += in_short(reason) + "\n";
  return text;
}

std::string cancelled(std::initializer_list<std::string_view> reasons) {
  std::string codes;
  std::string all;
  for (const std::string_view reason : reasons) {
    codes += (codes.empty() ? "" : ", ") + std::string(reason.substr(0, reason.find(':')));
    all += std::string(reason) + "\n";
  }
  return "Transaction cancelled, please refer cancellation reasons for specific reasons [" + codes + "]\n" +
         all;
}

}  // namespace test
