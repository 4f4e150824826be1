#include "../cloudformation/template.h"
#include "../node_members.h"
#include "seeds.h"
#include "serverless.h"
#include "streams.h"
#include "template_of_service.h"
#include "variables.h"

namespace dinette::definitions {
namespace {

bool is_service(const Node& root) {
  return root.has("service") && root.has("provider");
}

/// Returns the name that the stack of a service has.
std::string stack_of(serverless::Variables& variables) {
  std::string name = variables.text("provider.stackName");
  if (!name.empty()) return name;
  name = variables.text("service");
  if (name.empty()) name = variables.text("service.name");
  return name + '-' + variables.stage();
}

void read_service(const Node& root, const Input& input, Definitions& to) {
  if (const Node* const syntax = root.find("provider", "variableSyntax")) {
    to.errors.push_back({syntax->place(),
                         "a variableSyntax of its own is not known; read what this writes: serverless print "
                         "--format json > serverless.json"});
    return;
  }
  serverless::Variables variables(root, input);
  Node cloudformation = serverless::template_of(root, variables, to);
  if (!cloudformation.has("Resources")) cloudformation.set("Resources", Node::map());
  serverless::add_streams(root, variables, *cloudformation.find("Resources"), to);
  Surroundings surroundings = input.surroundings;
  if (surroundings.stack.empty()) surroundings.stack = stack_of(variables);
  cloudformation_format.read(cloudformation, {input.file, surroundings}, to);
  serverless::add_seeds(root, variables, input, to);
}

}  // namespace

constinit const Format serverless_format = {"a service of the Serverless Framework", is_service,
                                            read_service};

}  // namespace dinette::definitions
