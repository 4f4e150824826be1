// Requests as source code: the texts, and that those of which the tools are here send what they say.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { codeOf, languages } from "../../../src/page/lib/code/code.js";
import { createTable, makeClient } from "./client.mjs";
import { pagedTexts, request, texts } from "./page_code_texts.mjs";
import { startServer } from "./server.mjs";

const run = promisify(execFile);
const here = new URL("..", import.meta.url).pathname;
const specs = new URL("../../../api-specs/dynamodb/operations/", import.meta.url);

let server, client;
before(async () => {
  server = await startServer();
  client = makeClient(server.endpoint);
  await createTable(client, "Coded");
});
after(async () => {
  client.destroy();
  await server.stop();
});

test("every language has its text", () => {
  assert.deepEqual(languages.map(([language]) => language), Object.keys(texts));
  for (const [language] of languages) {
    assert.equal(codeOf(language, "Query", request, "http://127.0.0.1:8000", "us-east-1", "my-fork"), texts[language], language);
  }
});

test("every language reads all pages, if it is asked to", () => {
  const { TableName, Limit } = request;
  for (const [language] of languages) {
    const text = codeOf(language, "Scan", { TableName, Limit }, "http://127.0.0.1:8000", "us-east-1", "any", true);
    assert.ok(text.includes(pagedTexts[language]), `${language}: ${text}`);
    assert.doesNotMatch(codeOf(language, "Scan", { TableName }, "http://x", "r", "any", true), /page_?size|undefined/i);
    const item = { TableName, Item: {} };
    assert.equal(codeOf(language, "PutItem", item, "http://x", "r", "any", true), codeOf(language, "PutItem", item, "http://x", "r"));
  }
});

test("every request of the specification can be written in every language", () => {
  for (const file of readdirSync(specs)) {
    const { operation, input, examples = [] } = JSON.parse(readFileSync(new URL(file, specs), "utf8"));
    const hasTimes = input.some(({ type }) => type === "Timestamp");
    for (const { request: example, status = 200 } of examples) {
      if (status !== 200 || hasTimes) continue;
      for (const [language] of languages) {
        const text = codeOf(language, operation, example, "http://127.0.0.1:8000", "us-east-1");
        assert.ok(text, `${language}: ${operation} ${JSON.stringify(example)}`);
        assert.doesNotMatch(text, /undefined|\[object/, `${language}: ${operation}`);
      }
    }
  }
});

test("a request with a member that is not known is not guessed at", () => {
  const written = languages.filter(([language]) => codeOf(language, "Query", { TableName: "T", Invented: 1 }, "http://x", "r"));
  assert.deepEqual(written.map(([language]) => language), ["cli", "javascript", "python", "curl"]);
});

const environment = { PATH: "/usr/bin:/bin", HOME: "/nonexistent", LANG: "C.UTF-8", AWS_PAGER: "", AWS_EC2_METADATA_DISABLED: "true" };
const interpreters = {
  cli: ["/bin/sh", "-c"],
  curl: ["/bin/sh", "-c"],
  python: ["/usr/bin/python3", "-c"],
  javascript: [process.execPath, "--input-type=module", "-e"],
};

const song = "'\"\\ $HOME `id` %s\n\t\u2028 \u{1F3B5} --x";
const item = {
  "it's": { S: "" }, B: { S: "an attribute called B" }, "\"quoted\" #:$\n": { BOOL: false },
  number: { N: "-1234567890.1234567890123456789012345678" }, nothing: { NULL: true }, bytes: { B: "AAH/" },
  sets: { L: [{ SS: ["b", "a"] }, { NS: ["1", "2.5"] }, { BS: ["AQ==", "/w=="] }] }, nested: { M: { B: { B: "AA==" }, e: { M: {} }, l: { L: [] } } },
};

/** Sets are in no order. */
const sorted = (value) => JSON.parse(JSON.stringify(value), (_, one) => (Array.isArray(one) ? one.sort() : one));

for (const [language, [program, ...options]] of Object.entries(interpreters)) {
  test(`what is copied as ${language} writes the item as it is, in its world`, async () => {
    await fetch(`${server.endpoint}/_dinette/worlds`, { method: "POST", body: JSON.stringify({ name: `fork-${language}` }) });
    // The SDK for JavaScript sends no attribute of this name.
    const own = language === "javascript" ? {} : { ["__proto__"]: { S: "own" } };
    const Item = { artist: { S: language }, song: { S: song }, ...item, ...own };
    const written = codeOf(language, "PutItem", { TableName: "Coded", Item }, server.endpoint, "us-east-1", `fork-${language}`);
    await run(program, [...options, written], { cwd: here, env: environment });
    const Key = { artist: { S: language }, song: { S: song } };
    const inDefault = await client.send(new GetItemCommand({ TableName: "Coded", Key }));
    assert.equal(inDefault.Item, undefined);
    const inFork = await fetch(server.endpoint, {
      method: "POST", headers: { "x-amz-target": "DynamoDB_20120810.GetItem", "x-dinette-world": `fork-${language}` },
      body: JSON.stringify({ TableName: "Coded", Key }) });
    assert.deepEqual(sorted((await inFork.json()).Item), sorted(Item));
  });

  test(`what is copied as ${language} queries`, async () => {
    const input = {
      TableName: "Coded", KeyConditionExpression: "#a = :a", FilterExpression: "attribute_exists(#s)", Limit: 3, ScanIndexForward: false,
      ExpressionAttributeNames: { "#a": "artist", "#s": "number" }, ExpressionAttributeValues: { ":a": { S: "it's $me" } }, ConsistentRead: true,
    };
    const query = codeOf(language, "Query", input, server.endpoint, "us-east-1");
    const { stdout } = await run(program, [...options, query], { cwd: here, env: environment });
    assert.match(stdout, /["']?Count["']?: ?0/);
  });

  test(`what is copied as ${language} reads all pages`, async () => {
    const songs = ["first", "second", "third", "fourth", "fifth"].map((word) => `${word} of ${language}`);
    const artist = { S: `paged '$me" ${language}` };
    for (const S of songs) await client.send(new PutItemCommand({ TableName: "Coded", Item: { artist, song: { S } } }));
    const input = {
      TableName: "Coded", KeyConditionExpression: "artist = :a", Limit: 2, ExpressionAttributeValues: { ":a": artist } };
    const query = codeOf(language, "Query", input, server.endpoint, "us-east-1", "any", true);
    const { stdout } = await run(program, [...options, query], { cwd: here, env: environment });
    for (const song of songs) assert.ok(stdout.includes(song), `${song} is not in ${stdout}`);
  });
}
