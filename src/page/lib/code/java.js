// Java, the AWS SDK version 2.
import { chain, group, layOut } from "./layout.js";
import { ifKnown, typedMembers, wrapped } from "./members.js";
import { hasBinary, isOfStreams, separated } from "./values.js";

const unit = "    ";
// The longest Map.of() of the JDK has ten entries.
const mostPairs = 10;

const text = JSON.stringify;
const camel = (name) => separated(name, "-").replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
const list = (parts) => group("List.of(", parts, ")", { last: "" });

function map(pairs) {
  if (pairs.length <= mostPairs) return group("Map.of(", pairs.map(([key, value]) => [`${text(key)}, `, value]), ")", { last: "" });
  return group("Map.ofEntries(", pairs.map(([key, value]) => [`Map.entry(${text(key)}, `, value, ")"]), ")", { last: "" });
}

const bytes = (base64) => `SdkBytes.fromByteArray(Base64.getDecoder().decode(${text(base64)}))`;

const contents = {
  S: text, N: text, B: bytes, BOOL: String, NULL: String,
  SS: (set) => list(set.map(text)), NS: (set) => list(set.map(text)), BS: (set) => list(set.map(bytes)),
  L: (values) => list(values.map(attributeValue)), M: (values) => map(pairsOf(values, attributeValue)),
};
const factories = { S: "S", N: "N", B: "B", BOOL: "Bool", NULL: "Nul", SS: "Ss", NS: "Ns", BS: "Bs", L: "L", M: "M" };

const pairsOf = (values, write) => Object.entries(values).map(([key, value]) => [key, write(value)]);

function attributeValue(value) {
  const [type] = Object.keys(value);
  return [`AttributeValue.from${factories[type]}(`, contents[type](value[type]), ")"];
}

const plain = { String: text, Enum: text, Integer: String, Boolean: String, Long: (number) => `${number}L` };

function literal(type, value) {
  const { list: element, map: mapped } = wrapped(type);
  if (element) return list(value.map((one) => literal(element, one)));
  if (mapped) return map(pairsOf(value, (one) => literal(mapped, one)));
  if (type === "AttributeValue") return attributeValue(value);
  return plain[type]?.(value) ?? builder(type, type, value);
}

function builder(className, shape, value) {
  const calls = typedMembers(shape, value).map(([name, type, one]) => [`.${camel(name)}(`, literal(type, one), ")"]);
  return chain(`${className}.builder()`, [...calls, ".build()"]);
}

export const java = (operation, input, { endpoint, region, accessKeyId, allPages }) => ifKnown(() => {
  const client = isOfStreams(operation) ? "DynamoDbStreamsClient" : "DynamoDbClient";
  const imports = [
    "java.net.URI", "java.util.*", "software.amazon.awssdk.auth.credentials.*",
    ...(hasBinary(input) ? ["software.amazon.awssdk.core.SdkBytes"] : []), "software.amazon.awssdk.regions.Region",
    `software.amazon.awssdk.services.dynamodb.${isOfStreams(operation) ? "streams." : ""}${client}`,
    "software.amazon.awssdk.services.dynamodb.model.*"];
  const made = chain(`${client}.builder()`, [
    `.endpointOverride(URI.create(${text(endpoint)}))`, `.region(Region.of(${text(region)}))`,
    `.credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(${text(accessKeyId)}, "any")))`, ".build()"]);
  const method = operation[0].toLowerCase() + operation.slice(1);
  const request = builder(`${operation}Request`, operation, input);
  const sent = allPages
    ? `client.${layOut([`${method}Paginator(`, request, ")"], unit)}.items().forEach(System.out::println);`
    : `${operation}Response response = ${layOut([`client.${method}(`, request, ")"], unit)};
System.out.println(response);`;
  return `${imports.map((one) => `import ${one};`).join("\n")}

${client} client = ${layOut(made, unit)};

${sent}
`;
});
