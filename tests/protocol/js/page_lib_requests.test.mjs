// What the page reads out of requests, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { appOf, clientOf, isOwn, testOf } from "../../../src/page/lib/clients.js";
import { differences, folded, linesOf } from "../../../src/page/lib/line_diff.js";
import { conditionIn, groupsOf, itemsNamedBy, jsonOf, noFilter, onlyReads, passes } from "../../../src/page/lib/requests.js";

const sentBy = (agent, address = "127.0.0.1:40312") => ({ client: { address, agent } });

test("a client is named by its program, and by its machine if that is another one", () => {
  const names = {
    "Boto3/1.43.5 md/Botocore#1.43.5 ua/2.1": "boto3 1", "aws-sdk-js/3.787.0 ua/2.1 os/linux": "SDK for JavaScript 3",
    "aws-cli/2.15 md/awscrt": "AWS CLI 2", "curl/7.88": "curl/7.88", "Mozilla/5.0 (X11)": "a browser", "dinette-page": "this page",
    "": "unnamed",
  };
  for (const [agent, name] of Object.entries(names)) assert.equal(clientOf(sentBy(agent)), name);
  assert.equal(clientOf(sentBy("curl/7", "192.0.2.7:5")), "curl/7 at 192.0.2.7");
  assert.equal(clientOf(sentBy("curl/7", "[::1]:5")), "curl/7");
  assert.ok(isOwn(sentBy("dinette-page")));
  assert.equal(clientOf({}), "unnamed");
});

test("a test is told by the application id of its program, or by its trace", () => {
  const agent = "Boto3/1 md/x app/orders-test";
  assert.equal(appOf(sentBy(agent)), "orders-test");
  assert.equal(testOf({ ...sentBy(agent), trace: "4bf9" }), "orders-test");
  assert.equal(testOf({ ...sentBy("Boto3/1 webapp/x"), trace: "4bf9" }), "trace 4bf9");
  assert.equal(testOf(sentBy("")), "none");
});

const request = (more) => ({
  operation: "GetItem", tables: [{ name: "Music" }], microseconds: 10, readUnits: 0.5, writeUnits: 0, ...sentBy("Boto3/1"), ...more });

test("requests are filtered by table, operation, errors, sender, text and group", () => {
  const one = request({ error: "ThrottlingException" });
  const accepted = (filter, by) => passes(one, { ...noFilter, ...filter }, by);
  assert.ok(accepted({}));
  assert.ok(accepted({ table: "Music", operation: "GetItem", failed: true, text: "throttl" }));
  assert.ok(!accepted({ table: "Other" }));
  assert.ok(!accepted({ operation: "Scan" }));
  assert.ok(!accepted({ text: "nothing" }));
  assert.ok(!passes(request(), { ...noFilter, failed: true }));
  assert.ok(accepted({ group: "boto3 1" }, "client"));
  assert.ok(!accepted({ group: "curl" }, "client"));
});

test("groups add up their requests", () => {
  const requests = [request(), request(sentBy("curl/7")), request({ error: "E", readUnits: 1 })];
  assert.deepEqual(groupsOf(requests, "client"), [
    { name: "boto3 1", requests: 2, failed: 1, microseconds: 20, readUnits: 1.5, writeUnits: 0 },
    { name: "curl/7", requests: 1, failed: 0, microseconds: 10, readUnits: 0.5, writeUnits: 0 }]);
});

test("the items that a request names are found in all its forms", () => {
  const id = { id: { S: "1" } };
  const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Music";
  assert.deepEqual(itemsNamedBy({ TableName: arn, Key: id }), [{ table: "Music", attributes: id }]);
  assert.deepEqual(itemsNamedBy({ TableName: "Music", Item: id }), [{ table: "Music", attributes: id }]);
  assert.deepEqual(itemsNamedBy({ RequestItems: { A: { Keys: [id] }, B: [{ PutRequest: { Item: id } }, { DeleteRequest: { Key: id } }] } }),
    [{ table: "A", attributes: id }, { table: "B", attributes: id }, { table: "B", attributes: id }]);
  assert.deepEqual(itemsNamedBy({ TransactItems: [{ Put: { TableName: "A", Item: id } }, { Get: { TableName: "B", Key: id } }] }),
    [{ table: "A", attributes: id }, { table: "B", attributes: id }]);
  for (const none of [undefined, null, "text", {}, { TableName: "A" }, { RequestItems: { A: 5 } }, { TransactItems: [{ Put: {} }] }])
    assert.deepEqual(itemsNamedBy(none), [], JSON.stringify(none));
});

test("a body that is cut or malformed is no JSON", () => {
  assert.deepEqual(jsonOf({ text: '{"a": 1}', cut: false }), { a: 1 });
  assert.deepEqual(jsonOf({ text: "", cut: false }), {});
  assert.equal(jsonOf({ text: '{"a": 1}', cut: true }), undefined);
  assert.equal(jsonOf({ text: "{", cut: false }), undefined);
  assert.ok(onlyReads("BatchGetItem") && onlyReads("Scan") && !onlyReads("PutItem") && !onlyReads("ExecuteStatement"));
});

const marked = (before, after) =>
  differences(linesOf(before), linesOf(after)).map(({ kind, text }) => `${{ same: " ", removed: "-", added: "+" }[kind]}${text.trim()}`);

test("differences are lines that only one of two values has, whatever the order of members", () => {
  assert.deepEqual(marked({ a: 1, b: 2 }, { b: 2, a: 1 }), [" {", ' "a": 1,', ' "b": 2', " }"]);
  assert.deepEqual(marked({ a: 1, b: 2, c: 3 }, { a: 1, b: 5, c: 3 }), [" {", ' "a": 1,', '-"b": 2,', '+"b": 5,', ' "c": 3', " }"]);
  assert.deepEqual(marked(undefined, { a: 1 }), ["+{", '+"a": 1', "+}"]);
  assert.deepEqual(marked({ a: 1 }, undefined), ["-{", '-"a": 1', "-}"]);
  assert.deepEqual(marked([1, 2, 3, 4], [2, 3, 5, 4]), [" [", "-1,", " 2,", " 3,", "+5,", " 4", " ]"]);
});

test("lines that are the same and far from what differs are folded", () => {
  const before = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  const after = before.map((line, at) => (at === 10 || at === 12 ? "another" : line));
  const shown = folded(differences(before, after));
  assert.deepEqual(shown.map(({ kind, text, lines }) => (kind === "folded" ? lines.length : text)), [
    7, "line 7", "line 8", "line 9", "line 10", "another", "line 11", "line 12", "another", "line 13", "line 14", "line 15", 24]);
  assert.deepEqual(folded(differences(before, before)).length, 40, "where nothing differs, all is shown");
  assert.deepEqual(folded(differences(before.slice(0, 5), ["x", ...before.slice(1, 5)])).at(-1), { kind: "same", text: "line 4" });
});

test("a condition is written with its names and values", () => {
  assert.equal(conditionIn({ ConditionExpression: "attribute_not_exists(#k) OR size(#k) < :n AND x = :s AND :none = #none",
    ExpressionAttributeNames: { "#k": "id" }, ExpressionAttributeValues: { ":n": { N: "5" }, ":s": { S: 'a "b"' } } }),
    'attribute_not_exists(id) OR size(id) < 5 AND x = "a \\"b\\"" AND :none = #none');
  assert.equal(conditionIn({}), undefined);
  assert.equal(conditionIn(undefined), undefined);
});

test("differences of long texts are found without comparing every pair of lines", () => {
  const long = (first) => Array.from({ length: 100_000 }, (_, index) => first + index);
  const lines = differences(linesOf(long(0)), linesOf(long(1)));
  assert.ok(lines.filter(({ kind }) => kind === "removed").length > 0);
  assert.equal(lines.filter(({ kind }) => kind !== "removed").length, 100_002);
});
