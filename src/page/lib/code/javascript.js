// JavaScript, the AWS SDK version 3. Values have their types, so that no number loses a digit.
import { group, layOut } from "./layout.js";
import { binariesOf, isOfStreams, membersOf } from "./values.js";

const isName = (text) => /^[A-Za-z_$][\w$]*$/.test(text);
// JSON has "__proto__" as an ordinary name, an object literal only in brackets.
const memberName = (name) => (name === "__proto__" ? '["__proto__"]' : isName(name) ? name : JSON.stringify(name));

const bytes = (base64) => `Buffer.from(${JSON.stringify(base64)}, "base64")`;

function literal(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return group("[", value.map(literal), "]");
  const binaries = binariesOf(value);
  if (binaries && "B" in value) return `{ B: ${bytes(binaries[0])} }`;
  if (binaries) return group("{ BS: [", binaries.map(bytes), "] }");
  return group("{", membersOf(value).map(([name, one]) => [`${memberName(name)}: `, literal(one)]), "}", { pad: " " });
}

const sendOne = (operation, input) => `const response = await ${layOut([`client.send(new ${operation}Command(`, literal(input), "))"])};
console.log(response);`;

// Some versions ignore the size of a page if it is in the request.
const sendAll = (operation, { Limit, ...input }) => `for await (const page of ${layOut([
  `paginate${operation}({ client${Limit ? `, pageSize: ${Limit}` : ""} }, `, literal(input), ")"])}) {
  console.log(page.Items);
}`;

export function javascript(operation, input, { endpoint, region, accessKeyId, allPages }) {
  const [client, library] = isOfStreams(operation)
    ? ["DynamoDBStreamsClient", "@aws-sdk/client-dynamodb-streams"] : ["DynamoDBClient", "@aws-sdk/client-dynamodb"];
  const options = literal({ endpoint, region, credentials: { accessKeyId, secretAccessKey: "any" } });
  return `import { ${client}, ${allPages ? `paginate${operation}` : `${operation}Command`} } from "${library}";

const client = ${layOut([`new ${client}(`, options, ")"])};

${(allPages ? sendAll : sendOne)(operation, input)}
`;
}
