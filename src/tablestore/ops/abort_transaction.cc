#include "tablestore/api/abort_transaction.h"

#include "tablestore/transactions/open_transaction.h"

// tablestore/transactions.md
namespace dinette::tablestore::ops {

Answer<api::AbortTransactionResponse> abort_transaction(const Context& context,
                                                        api::AbortTransactionRequest&& request) {
  DINETTE_TRY(OpenTransaction transaction, take_transaction(context, request.transaction_id));
  transaction.end();
  return api::AbortTransactionResponse();
}

}  // namespace dinette::tablestore::ops
