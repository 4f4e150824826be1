#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "dinette/iam/evaluate.h"
#include "dinette/iam/identities.h"

/// A document, read as each kind of policy, written, read again and applied to a request; then the same bytes
/// as a file of identities. What is written must read as the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace iam = dinette::iam;
  const std::string_view input{reinterpret_cast<const char*>(data), size};
  for (const auto use : {iam::PolicyUse::identity, iam::PolicyUse::resource}) {
    const auto policy = iam::read_policy(input, use);
    if (!policy.ok()) continue;
    if (use == iam::PolicyUse::resource) {
      const std::string text = iam::canonical_text(*policy);
      const auto again = iam::read_policy(text, use);
      const bool same = again.ok() ? iam::canonical_text(*again) == text : text.size() > iam::longest_policy;
      if (!same) std::abort();
    }
    iam::Identity identity;
    identity.arn = "arn:aws:iam::111122223333:user/alice";
    identity.account = "111122223333";
    iam::RequestContext context;
    context.add("aws:username", "alice");
    context.add("dynamodb:LeadingKeys", iam::RequestContext::Values{"a", "b"});
    iam::evaluate(
        identity,
        {"dynamodb:GetItem", "arn:aws:dynamodb:us-east-1:111122223333:table/T", "111122223333", context},
        &*policy);
  }
  static_cast<void>(iam::Identities::read(input));
  return 0;
}
