#pragma once

#include <libpq-fe.h>

#include "dinette/kv/error.h"

namespace dinette::kv::postgres {

// clang-format off
#define DINETTE_LIBPQ_FUNCTIONS(X)                                                                      \
  X(PQconnectStartParams) X(PQconnectPoll) X(PQfinish) X(PQstatus) X(PQsocket) X(PQerrorMessage)        \
  X(PQsetnonblocking) X(PQsetNoticeReceiver) X(PQenterPipelineMode) X(PQpipelineSync)                   \
  X(PQsendPrepare) X(PQsendQueryPrepared) X(PQsendQueryParams) X(PQflush) X(PQconsumeInput) X(PQisBusy) \
  X(PQgetResult) X(PQresultStatus) X(PQresultErrorField) X(PQresultErrorMessage) X(PQntuples)           \
  X(PQgetisnull) X(PQgetvalue) X(PQgetlength) X(PQclear)
// clang-format on

/// The functions of libpq that this engine calls, under their own names.
struct Libpq {
#define DINETTE_LIBPQ_MEMBER(name) decltype(&::name) name = nullptr;
  DINETTE_LIBPQ_FUNCTIONS(DINETTE_LIBPQ_MEMBER)
#undef DINETTE_LIBPQ_MEMBER
};

/// Loads the library when it is first called, so that a program that keeps its data elsewhere neither needs
/// it nor loads it. Fails with a sentence for the user. Thread-safe.
Result<void> load_libpq();

/// Returns the functions. load_libpq() must have succeeded.
const Libpq& pq();

}  // namespace dinette::kv::postgres
