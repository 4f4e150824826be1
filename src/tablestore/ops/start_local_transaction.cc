#include "tablestore/api/start_local_transaction.h"

#include "tablestore/request/names.h"
#include "tablestore/rows/read_request.h"
#include "tablestore/transactions/open_transaction.h"

// tablestore/transactions.md
namespace dinette::tablestore::ops {

Answer<api::StartLocalTransactionResponse> start_local_transaction(
    const Context& context, api::StartLocalTransactionRequest&& request) {
  DINETTE_CHECK(check_table_name(request.table_name));
  DINETTE_TRY(const PrimaryKey key, read_key(request.key, KeyUse::read));
  api::StartLocalTransactionResponse response;
  DINETTE_TRY(response.transaction_id, begin_transaction(context, request.table_name, key));
  return response;
}

}  // namespace dinette::tablestore::ops
