// The vendor's client of Tablestore. It decodes replies of a success alone: of an error it shows status and bytes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import Tablestore from "tablestore";
import { connect } from "../../../clients/js/index.js";
import { startServer } from "./server.mjs";

const { Condition, Long, RowExistenceExpectation, ReturnType } = Tablestore;
const ignore = new Condition(RowExistenceExpectation.IGNORE, null);

let server, client;
before(async () => {
  server = await startServer("--tablestore-key", "known=its own secret");
  client = clientOf();
});
after(() => server.stop());

function clientOf(settings = {}) {
  return new Tablestore.Client({
    accessKeyId: "ak",
    accessKeySecret: "sk",
    secretAccessKey: "sk",
    endpoint: server.endpoint,
    instancename: "inst",
    maxRetries: 0,
    ...settings,
  });
}

/** The key of the table that each test has for itself. */
const key = (gid, uid) => [{ gid: Long.fromNumber(gid) }, { uid }];

async function create(tableName, tableOptions = { timeToLive: -1, maxVersions: 1 }) {
  await client.createTable({
    tableMeta: {
      tableName,
      primaryKey: [
        { name: "gid", type: "INTEGER" },
        { name: "uid", type: "STRING" },
      ],
    },
    reservedThroughput: { capacityUnit: { read: 0, write: 0 } },
    tableOptions,
  });
}

const put = (tableName, primaryKey, attributeColumns, more = {}) =>
  client.putRow({ tableName, condition: ignore, primaryKey, attributeColumns, ...more });

const get = (tableName, primaryKey, more = {}) => client.getRow({ tableName, primaryKey, ...more });

/** Columns as an object; numbers of type Integer as text. */
const columns = (row) =>
  Object.fromEntries((row.attributes ?? []).map(({ columnName, columnValue }) => [columnName, plain(columnValue)]));
const plain = (value) => (typeof value === "object" && !Buffer.isBuffer(value) ? value.toString() : value);
const keyOf = (row) => row.primaryKey.map(({ value }) => plain(value));

/** Checks the words of an error, which the client leaves in the bytes. */
const fails = (promise, status, words) =>
  assert.rejects(promise, (error) => {
    assert.equal(error.code, status);
    assert.ok(String(error.message).includes(words), String(error.message));
    return true;
  });

test("tables are created, described, changed, listed and deleted", async () => {
  await create("tables", { timeToLive: 86400, maxVersions: 3 });
  const described = await client.describeTable({ tableName: "tables" });
  assert.deepEqual(
    described.tableMeta.primaryKey.map(({ name }) => name),
    ["gid", "uid"],
  );
  assert.equal(described.tableOptions.maxVersions, 3);
  assert.equal(described.tableOptions.timeToLive, 86400);
  const changed = await client.updateTable({
    tableName: "tables",
    tableOptions: { maxVersions: 5, timeToLive: -1 },
  });
  assert.equal(changed.tableOptions.maxVersions, 5);
  assert.ok((await client.listTable({})).tableNames.includes("tables"));
  await fails(create("tables"), 409, "Requested table already exists.");
  await client.deleteTable({ tableName: "tables" });
  await fails(client.describeTable({ tableName: "tables" }), 404, "Requested table does not exist.");
});

test("a row has values of all types", async () => {
  await create("types");
  const bytes = Buffer.from([0, 255]);
  const answer = await put(
    "types",
    key(1, "a"),
    [{ text: "表格" }, { real: 3.1 }, { whole: Long.fromNumber(-7) }, { truth: true }, { bytes }],
    { returnContent: { returnType: ReturnType.Primarykey } },
  );
  assert.deepEqual(keyOf(answer.row), ["1", "a"]);
  assert.equal(answer.consumed.capacityUnit.write, 1);
  const { row } = await get("types", key(1, "a"));
  const found = columns(row);
  assert.deepEqual([...found.bytes], [0, 255]);
  delete found.bytes;
  assert.deepEqual(found, { text: "表格", real: 3.1, whole: "-7", truth: true });
  assert.deepEqual((await get("types", key(2, "none"))).row, {});
});

test("columns keep versions", async () => {
  await create("versions", { timeToLive: -1, maxVersions: 2 });
  const now = Date.now();
  for (const age of [3000, 2000, 1000]) {
    await client.updateRow({
      tableName: "versions",
      condition: ignore,
      primaryKey: key(1, "a"),
      updateOfAttributeColumns: [{ PUT: [{ c: `${age}`, timestamp: now - age }] }],
    });
  }
  const { row } = await get("versions", key(1, "a"), { maxVersions: 5 });
  assert.deepEqual(
    row.attributes.map(({ columnValue, timestamp }) => [columnValue, now - Number(timestamp)]),
    [
      ["1000", 1000],
      ["2000", 2000],
    ],
  );
});

test("an update puts, deletes and increments", async () => {
  await create("updates");
  await put("updates", key(1, "a"), [{ gone: "x" }, { n: Long.fromNumber(40) }]);
  await client.updateRow({
    tableName: "updates",
    condition: new Condition(RowExistenceExpectation.EXPECT_EXIST, null),
    primaryKey: key(1, "a"),
    updateOfAttributeColumns: [
      { PUT: [{ fresh: "y" }] },
      { DELETE_ALL: ["gone"] },
      { INCREMENT: [{ n: Long.fromNumber(2) }] },
    ],
  });
  assert.deepEqual(columns((await get("updates", key(1, "a"))).row), { fresh: "y", n: "42" });
});

test("conditions guard writes", async () => {
  await create("conditions");
  const absent = new Condition(RowExistenceExpectation.EXPECT_NOT_EXIST, null);
  await client.putRow({ tableName: "conditions", condition: absent, primaryKey: key(1, "a"), attributeColumns: [{ name: "john" }] });
  await fails(
    client.putRow({ tableName: "conditions", condition: absent, primaryKey: key(1, "a"), attributeColumns: [{ name: "x" }] }),
    403,
    "Condition check failed.",
  );
  const isJohn = new Tablestore.SingleColumnCondition("name", "john", Tablestore.ComparatorType.EQUAL);
  const rename = (name) =>
    client.updateRow({
      tableName: "conditions",
      condition: new Condition(RowExistenceExpectation.EXPECT_EXIST, isJohn),
      primaryKey: key(1, "a"),
      updateOfAttributeColumns: [{ PUT: [{ name }] }],
    });
  await rename("jack");
  await fails(rename("jim"), 403, "Condition check failed.");
  await client.deleteRow({ tableName: "conditions", condition: ignore, primaryKey: key(1, "a") });
  assert.deepEqual((await get("conditions", key(1, "a"))).row, {});
});

test("filters choose rows", async () => {
  await create("filters");
  await put("filters", key(1, "a"), [{ name: "john" }, { city: "x" }]);
  const both = new Tablestore.CompositeCondition(Tablestore.LogicalOperator.AND);
  both.addSubCondition(new Tablestore.SingleColumnCondition("name", "john", Tablestore.ComparatorType.EQUAL));
  both.addSubCondition(new Tablestore.SingleColumnCondition("city", "y", Tablestore.ComparatorType.NOT_EQUAL));
  assert.deepEqual(keyOf((await get("filters", key(1, "a"), { columnFilter: both })).row), ["1", "a"]);
  const page = new Tablestore.ColumnPaginationFilter(1, 1);
  assert.deepEqual(columns((await get("filters", key(1, "a"), { columnFilter: page })).row), { name: "john" });
});

test("a range is read page by page, in both directions", async () => {
  await create("ranges");
  for (let gid = 1; gid <= 5; gid += 1) await put("ranges", key(gid, "a"), [{ c: "x" }]);
  const { INF_MIN, INF_MAX, Direction } = Tablestore;
  const least = [{ gid: INF_MIN }, { uid: INF_MIN }];
  const most = [{ gid: INF_MAX }, { uid: INF_MAX }];
  async function readAll(direction, start, exclusiveEndPrimaryKey) {
    const pages = [];
    for (let from = start; from; ) {
      const page = await client.getRange({
        tableName: "ranges",
        direction,
        inclusiveStartPrimaryKey: from,
        exclusiveEndPrimaryKey,
        limit: 2,
      });
      pages.push(page.rows.map((row) => keyOf(row)[0]));
      from = page.nextStartPrimaryKey?.map(({ name, value }) => ({ [name]: value }));
    }
    return pages;
  }
  assert.deepEqual(await readAll(Direction.FORWARD, least, most), [["1", "2"], ["3", "4"], ["5"]]);
  assert.deepEqual(await readAll(Direction.BACKWARD, most, least), [["5", "4"], ["3", "2"], ["1"]]);
  await fails(readAll(Direction.FORWARD, most, least), 400, "Begin key must less than end key in FORWARD");
});

test("batches have a result per row", async () => {
  await create("batches");
  const rows = [1, 2, 3].map((gid) => ({
    type: "PUT",
    condition: ignore,
    primaryKey: key(gid, "a"),
    attributeColumns: [{ c: `${gid}` }],
  }));
  rows.push({
    type: "DELETE",
    condition: new Condition(RowExistenceExpectation.EXPECT_EXIST, null),
    primaryKey: key(9, "a"),
  });
  const written = await client.batchWriteRow({ tables: [{ tableName: "batches", rows }] });
  assert.deepEqual(written.tables.map(({ isOk }) => isOk), [true, true, true, false]);
  assert.equal(written.tables[3].errorCode, "OTSConditionCheckFail");
  const read = await client.batchGetRow({
    tables: [{ tableName: "batches", primaryKey: [key(2, "a"), key(9, "a"), key(1, "a")] }],
  });
  assert.deepEqual(
    read.tables[0].map((row) => columns(row).c),
    ["2", undefined, "1"],
  );
});

test("a transaction commits its writes together", async () => {
  await create("transactions");
  const { transactionId } = await client.startLocalTransaction({
    tableName: "transactions",
    primaryKey: [{ gid: Long.fromNumber(1) }],
  });
  await put("transactions", key(1, "a"), [{ c: "x" }], { transactionId });
  assert.deepEqual((await get("transactions", key(1, "a"))).row, {});
  assert.deepEqual(columns((await get("transactions", key(1, "a"), { transactionId })).row), { c: "x" });
  await client.commitTransaction({ transactionId });
  assert.deepEqual(columns((await get("transactions", key(1, "a"))).row), { c: "x" });
});

test("instances have their own tables", async () => {
  await create("shared_name");
  const other = clientOf({ instancename: "other" });
  assert.deepEqual((await other.listTable({})).tableNames ?? [], []);
});

test("a known key must be used with its secret", async () => {
  await clientOf({ accessKeyId: "known", accessKeySecret: "its own secret", secretAccessKey: "its own secret" }).listTable({});
  await fails(clientOf({ accessKeyId: "known" }).listTable({}), 403, "Signature mismatch.");
});

test("an operation that there is not is answered in XML", async () => {
  const answer = await fetch(`${server.endpoint}/BulkExport`, { method: "POST", headers: { "x-ots-apiversion": "2015-12-31" } });
  assert.equal(answer.status, 400);
  assert.ok((await answer.text()).includes("<Message>Unsupported operation: 'BulkExport'.</Message>"));
});

/** A search index of a table, and three rows. */
async function createSearched(tableName) {
  await create(tableName);
  const { FieldType } = Tablestore;
  const field = (fieldName, fieldType, more = {}) => ({ fieldName, fieldType, index: true, enableSortAndAgg: true, store: true, ...more });
  await client.createSearchIndex({
    tableName,
    indexName: "found",
    schema: {
      fieldSchemas: [
        field("city", FieldType.KEYWORD),
        field("count", FieldType.LONG),
        field("text", FieldType.TEXT),
        field("tags", FieldType.KEYWORD, { isAnArray: true }),
        { fieldName: "parts", fieldType: FieldType.NESTED, index: false, fieldSchemas: [field("name", FieldType.KEYWORD)] },
      ],
    },
  });
  const rows = [
    ["Oslo", 1, "the quick fox", ["a", "b"], "x"],
    ["Oslo", 2, "a lazy dog", ["b"], "y"],
    ["Rome", 4, "the end", [], "x"],
  ];
  for (const [index, [city, count, text, tags, name]] of rows.entries()) {
    await put(tableName, key(index + 1, "a"), [
      { city },
      { count: Long.fromNumber(count) },
      { text },
      { tags: JSON.stringify(tags) },
      { parts: JSON.stringify([{ name }]) },
    ]);
  }
}

const search = (tableName, query, more = {}, returnType = Tablestore.ColumnReturnType.RETURN_NONE) =>
  client.search({
    tableName,
    indexName: "found",
    searchQuery: { offset: 0, limit: 10, query, getTotalCount: true, ...more },
    columnToGet: { returnType },
  });
const found = ({ rows }) => rows.map((row) => keyOf(row)[0]);

test("search indexes are listed, described and deleted", async () => {
  await createSearched("indexes");
  const listed = await client.listSearchIndex({ tableName: "indexes" });
  assert.deepEqual(
    listed.indices.map(({ tableName, indexName }) => [tableName, indexName]),
    [["indexes", "found"]],
  );
  const described = await client.describeSearchIndex({ tableName: "indexes", indexName: "found" });
  assert.deepEqual(
    described.schema.fieldSchemas.map(({ fieldName }) => fieldName),
    ["city", "count", "text", "tags", "parts"],
  );
  await fails(client.deleteTable({ tableName: "indexes" }), 400, "who has at least one search index cannot be deleted");
  await client.deleteSearchIndex({ tableName: "indexes", indexName: "found" });
  await client.deleteTable({ tableName: "indexes" });
});

test("rows are found by queries of many kinds", async () => {
  await createSearched("queries");
  const { QueryType } = Tablestore;
  const kinds = [
    [QueryType.MATCH_ALL_QUERY, {}, ["1", "2", "3"]],
    [QueryType.TERM_QUERY, { fieldName: "city", term: "Oslo" }, ["1", "2"]],
    [QueryType.TERMS_QUERY, { fieldName: "count", terms: [Long.fromNumber(2), Long.fromNumber(4)] }, ["2", "3"]],
    [QueryType.RANGE_QUERY, { fieldName: "count", rangeFrom: Long.fromNumber(1), includeLower: false, rangeTo: Long.fromNumber(4), includeUpper: true }, ["2", "3"]],
    [QueryType.PREFIX_QUERY, { fieldName: "city", prefix: "Ro" }, ["3"]],
    [QueryType.WILDCARD_QUERY, { fieldName: "city", value: "*o*" }, ["1", "2", "3"]],
    [QueryType.MATCH_QUERY, { fieldName: "text", text: "the dog" }, ["1", "2", "3"]],
    [QueryType.MATCH_PHRASE_QUERY, { fieldName: "text", text: "quick fox" }, ["1"]],
    [QueryType.TERM_QUERY, { fieldName: "tags", term: "b" }, ["1", "2"]],
    [QueryType.EXISTS_QUERY, { fieldName: "tags" }, ["1", "2"]],
    [QueryType.NESTED_QUERY, { path: "parts", query: { queryType: QueryType.TERM_QUERY, query: { fieldName: "parts.name", term: "x" } }, scoreMode: Tablestore.ScoreMode.SCORE_MODE_AVG }, ["1", "3"]],
    [
      QueryType.BOOL_QUERY,
      {
        mustQueries: [{ queryType: QueryType.TERM_QUERY, query: { fieldName: "city", term: "Oslo" } }],
        mustNotQueries: [{ queryType: QueryType.TERM_QUERY, query: { fieldName: "tags", term: "a" } }],
      },
      ["2"],
    ],
  ];
  for (const [queryType, query, expected] of kinds) {
    const answer = await search("queries", { queryType, query });
    assert.deepEqual(found(answer), expected, JSON.stringify(query));
    assert.equal(String(answer.totalCounts), String(expected.length));
  }
});

test("found rows are ordered, returned by page and summed up", async () => {
  await createSearched("pages");
  const { AggregationType, ColumnReturnType, GroupByType, QueryType, SortOrder } = Tablestore;
  const all = { queryType: QueryType.MATCH_ALL_QUERY };
  const sort = { sorters: [{ fieldSort: { fieldName: "count", order: SortOrder.SORT_ORDER_DESC } }] };
  const first = await search("pages", all, { limit: 2, sort }, ColumnReturnType.RETURN_ALL);
  assert.deepEqual(found(first), ["3", "2"]);
  assert.equal(columns(first.rows[0]).city, "Rome");
  const second = await search("pages", all, { limit: 2, token: Buffer.from(first.nextToken) });
  assert.deepEqual(found(second), ["1"]);
  const sums = await search("pages", all, {
    limit: 0,
    aggs: { aggs: [{ name: "sum", type: AggregationType.AGG_SUM, body: { fieldName: "count" } }] },
    groupBys: { groupBys: [{ name: "by", type: GroupByType.GROUP_BY_FIELD, body: { fieldName: "city", size: 5 } }] },
  });
  assert.equal(sums.aggs.aggResults[0].aggResult.value, 7);
  assert.deepEqual(
    sums.groupBys.groupByResults[0].groupByResult.items.map(({ key: city, rowCount }) => [city, Number(rowCount)]),
    [["Oslo", 2], ["Rome", 1]],
  );
  const { sessionId, splitsSize } = await client.computeSplits({ tableName: "pages", searchIndexSplitsOptions: { indexName: "found" } });
  assert.equal(splitsSize, 1);
  const scanned = await client.parallelScan({
    tableName: "pages",
    indexName: "found",
    columnToGet: { returnType: ColumnReturnType.RETURN_ALL_FROM_INDEX },
    sessionId,
    scanQuery: { query: all, limit: 10, aliveTime: 30, currentParallelId: 0, maxParallel: 1 },
  });
  assert.deepEqual(found(scanned), ["1", "2", "3"]);
});

/** A result of SQL as rows of plain values. */
function table({ sqlRows }) {
  const rowCount = Number(sqlRows.rowCount.toFloat64());
  return Array.from({ length: rowCount }, (_, row) =>
    Array.from({ length: sqlRows.columnCount }, (_, column) => {
      const value = sqlRows.get(row, column);
      if (value === null || typeof value !== "object") return value;
      return value.toFloat64 ? value.toFloat64() : [...value.valueArray()];
    }),
  );
}

test("SQL selects from tables with a mapping", async () => {
  await create("people");
  await client.sqlQuery({
    query: "create table people (gid bigint(20), uid varchar(1024), age bigint, grade double, ok bool, raw mediumblob, name mediumtext, primary key(gid, uid))",
  });
  await put("people", key(1, "a"), [{ age: Long.fromNumber(30) }, { grade: 1.5 }, { ok: true }, { raw: Buffer.from([1, 2]) }, { name: "Ann" }]);
  await put("people", key(2, "b"), [{ age: Long.fromNumber(40) }, { grade: 2.5 }]);
  assert.deepEqual(table(await client.sqlQuery({ query: "show tables" })), [["people"]]);
  const described = table(await client.sqlQuery({ query: "desc people" }));
  assert.deepEqual(described[0], ["gid", "bigint(20)", "NO", "PRI", null, ""]);
  assert.deepEqual(table(await client.sqlQuery({ query: "select * from people" })), [
    [1, "a", 30, 1.5, true, [1, 2], "Ann"],
    [2, "b", 40, 2.5, null, null, null],
  ]);
  assert.deepEqual(table(await client.sqlQuery({ query: "select count(*), sum(grade) from people where age > 10" })), [[2, 4]]);
  await fails(client.sqlQuery({ query: "select * from none" }), 400, "Unknown mapping table 'inst.none'");
});

test("SQL writes rows by their keys", async () => {
  await create("written");
  const run = (query) => client.sqlQuery({ query });
  await run("create table written (gid bigint(20), uid varchar(1024), age bigint, primary key(gid, uid))");
  await run("insert into written values (1, 'a', 10), (1, 'b', null)");
  await run("update written set age = age + 5 where gid = 1 and uid = 'a'");
  await run("delete from written where gid = 1 and uid = 'b'");
  assert.deepEqual(table(await run("select * from written")), [[1, "a", 15]]);
  await fails(run("insert into written (gid, uid) values (1, 'a')"), 400, "Duplicate entry for key 'PRIMARY'");
});

test("rows are read by an index, which says how far it is filled", async () => {
  const { Direction, IndexType, IndexUpdateMode, INF_MAX, INF_MIN, SyncPhase } = Tablestore;
  await client.createTable({
    tableMeta: {
      tableName: "indexed",
      primaryKey: [
        { name: "gid", type: "INTEGER" },
        { name: "uid", type: "STRING" },
      ],
      definedColumn: [{ name: "city", type: Tablestore.DefinedColumnType.DCT_STRING }],
    },
    reservedThroughput: { capacityUnit: { read: 0, write: 0 } },
    tableOptions: { timeToLive: -1, maxVersions: 1 },
  });
  await put("indexed", key(1, "a"), [{ city: "Rome" }, { other: "x" }]);
  await client.createIndex({
    mainTableName: "indexed",
    includeBaseData: true,
    indexMeta: { name: "by_city", primaryKey: ["city"], definedColumn: [], indexUpdateMode: IndexUpdateMode.IUM_ASYNC_INDEX, indexType: IndexType.IT_GLOBAL_INDEX },
  });
  await put("indexed", key(2, "b"), [{ city: "Oslo" }]);
  const { indexMetas } = await client.describeTable({ tableName: "indexed" });
  assert.deepEqual(
    indexMetas.map(({ name, indexSyncPhase }) => [name, indexSyncPhase]),
    [["by_city", SyncPhase.INCR]],
  );
  const page = await client.getRange({
    tableName: "by_city",
    direction: Direction.FORWARD,
    inclusiveStartPrimaryKey: [{ city: INF_MIN }, { gid: INF_MIN }, { uid: INF_MIN }],
    exclusiveEndPrimaryKey: [{ city: INF_MAX }, { gid: INF_MAX }, { uid: INF_MAX }],
    limit: 10,
  });
  assert.deepEqual(page.rows.map(keyOf), [
    ["Oslo", "2", "b"],
    ["Rome", "1", "a"],
  ]);
  await fails(put("by_city", key(1, "a"), []), 400, "Can't write index table directly");
  await client.dropIndex({ mainTableName: "indexed", indexName: "by_city" });
  assert.deepEqual((await client.describeTable({ tableName: "indexed" })).indexMetas ?? [], []);
});

test("the service numbers rows", async () => {
  await client.createTable({
    tableMeta: {
      tableName: "numbered",
      primaryKey: [
        { name: "uid", type: "STRING" },
        { name: "n", type: "INTEGER", option: "AUTO_INCREMENT" },
      ],
    },
    reservedThroughput: { capacityUnit: { read: 0, write: 0 } },
    tableOptions: { timeToLive: -1, maxVersions: 1 },
  });
  const add = async (uid) => {
    const { row } = await put("numbered", [{ uid }, { n: Tablestore.PK_AUTO_INCR }], [{ c: "x" }], {
      returnContent: { returnType: ReturnType.Primarykey },
    });
    return BigInt(row.primaryKey[1].value.toString());
  };
  const numbers = [await add("a"), await add("a")];
  assert.ok(0n < numbers[0] && numbers[0] < numbers[1]);
  assert.equal(columns((await get("numbered", [{ uid: "a" }, { n: Long.fromString(String(numbers[0])) }])).row).c, "x");
});

test("time to live follows the world's clock", async () => {
  const world = await connect(server.endpoint).world.fork();
  const own = clientOf({ accessKeyId: world.name });
  await own.createTable({
    tableMeta: { tableName: "expiring", primaryKey: [{ name: "uid", type: "STRING" }] },
    reservedThroughput: { capacityUnit: { read: 0, write: 0 } },
    tableOptions: { timeToLive: 86400, maxVersions: 1 },
  });
  const row = { tableName: "expiring", primaryKey: [{ uid: "a" }] };
  await own.putRow({ ...row, condition: ignore, attributeColumns: [{ c: "x" }] });
  assert.equal(columns((await own.getRow(row)).row).c, "x");
  await world.clock.advance("PT25H");
  assert.deepEqual((await own.getRow(row)).row, {});
});

test("a fork is used by its name as access key", async () => {
  await create("forked");
  const world = await connect(server.endpoint).world.fork();
  const branch = clientOf({ accessKeyId: world.name });
  await branch.deleteTable({ tableName: "forked" });
  assert.ok((await client.listTable({})).tableNames.includes("forked"));
  assert.ok(!(await branch.listTable({})).tableNames.includes("forked"));
});

test("a port of its own serves Tablestore alone", async () => {
  const own = await startServer("--tablestore-port", "0");
  try {
    const [, endpoint] = await own.printed(/^Tablestore is at (\S+)\.$/);
    assert.notEqual(endpoint, own.endpoint);
    assert.deepEqual((await clientOf({ endpoint }).listTable({})).tableNames ?? [], []);
    assert.equal((await fetch(endpoint)).status, 405);
  } finally {
    await own.stop();
  }
});
