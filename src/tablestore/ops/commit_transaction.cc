#include "tablestore/api/commit_transaction.h"

#include <utility>

#include "tablestore/transactions/open_transaction.h"

// tablestore/transactions.md
namespace dinette::tablestore::ops {

Answer<api::CommitTransactionResponse> commit_transaction(const Context& context,
                                                          api::CommitTransactionRequest&& request) {
  DINETTE_TRY(OpenTransaction transaction, take_transaction(context, request.transaction_id));
  DINETTE_CHECK(commit(context, std::move(transaction)));
  return api::CommitTransactionResponse();
}

}  // namespace dinette::tablestore::ops
