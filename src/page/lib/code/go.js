// Go, the AWS SDK version 2.
import { group, layOut } from "./layout.js";
import { ifKnown, typedMembers, wrapped } from "./members.js";
import { isOfStreams } from "./values.js";

const unit = "\t";
const text = JSON.stringify;
const braces = (open, parts) => group(`${open}{`, parts, "}");
const list = (type, parts) => braces(`[]${type}`, parts);
const map = (type, values, write) =>
  braces(`map[string]${type}`, Object.entries(values).map(([key, value]) => [`${text(key)}: `, write(value)]));

const bytes = (base64) => {
  const hex = Array.from(atob(base64), (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);
  return `[]byte("${hex.join("")}")`;
};

const contents = {
  S: text, N: text, B: bytes, BOOL: String, NULL: String,
  SS: (set) => list("string", set.map(text)), NS: (set) => list("string", set.map(text)), BS: (set) => list("[]byte", set.map(bytes)),
  L: (values) => list("types.AttributeValue", values.map(attributeValue)),
  M: (values) => map("types.AttributeValue", values, attributeValue),
};

function attributeValue(value) {
  const [type] = Object.keys(value);
  return [`&types.AttributeValueMember${type}{Value: `, contents[type](value[type]), "}"];
}

const names = { String: "string", Enum: "string", AttributeValue: "types.AttributeValue" };

function typeName(type) {
  const { list: element, map: mapped } = wrapped(type);
  if (element) return `[]${typeName(element)}`;
  if (mapped) return `map[string]${typeName(mapped)}`;
  return names[type] ?? `types.${type}`;
}

const pointers = {
  String: (value) => `aws.String(${text(value)})`, Integer: (value) => `aws.Int32(${value})`, Long: (value) => `aws.Int64(${value})`,
  Boolean: (value) => `aws.Bool(${value})`, Enum: text,
};

/** Returns a value in a list or map, whose type is known there. */
function element(type, value) {
  if (type === "String" || type === "Enum") return text(value);
  if (type === "AttributeValue") return attributeValue(value);
  const { list: inner, map: mapped } = wrapped(type);
  return inner || mapped ? collection(type, value) : fields("", type, value);
}

function collection(type, value) {
  const { list: inner, map: mapped } = wrapped(type);
  if (inner) return list(typeName(inner), value.map((one) => element(inner, one)));
  return map(typeName(mapped), value, (one) => element(mapped, one));
}

function member(type, value) {
  const { list: inner, map: mapped } = wrapped(type);
  if (inner || mapped) return collection(type, value);
  if (type === "AttributeValue") return attributeValue(value);
  return pointers[type]?.(value) ?? fields(`&types.${type}`, type, value);
}

const fields = (open, shape, value) =>
  braces(open, typedMembers(shape, value).map(([name, type, one]) => [`${name}: `, member(type, one)]));

const sendOne = (call) => `	response, err := ${call}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response)`;

const sendAll = (call) => `	pages := ${call}
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(page.Items)
	}`;

export const go = (operation, input, { endpoint, region, accessKeyId, allPages }) => ifKnown(() => {
  const service = isOfStreams(operation) ? "dynamodbstreams" : "dynamodb";
  const called = allPages ? `dynamodb.New${operation}Paginator(client, ` : `client.${operation}(ctx, `;
  const request = layOut([called, fields(`&${service}.${operation}Input`, operation, input), ")"], unit, unit);
  const library = "github.com/aws/aws-sdk-go-v2";
  const imports = ["context", "fmt", "log", "", `${library}/aws`, `${library}/credentials`, `${library}/service/${service}`,
    ...(request.includes("types.") ? [`${library}/service/${service}/types`] : [])];
  return `package main

import (
${imports.map((one) => one && `\t"${one}"`).join("\n")}
)

func main() {
	ctx := context.Background()
	client := ${service}.New(${service}.Options{
		BaseEndpoint: aws.String(${text(endpoint)}),
		Region:       ${text(region)},
		Credentials:  credentials.NewStaticCredentialsProvider(${text(accessKeyId)}, "any", ""),
	})
${(allPages ? sendAll : sendOne)(request)}
}
`;
});
