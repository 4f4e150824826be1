// Query and Scan through the SDK's paginators, of the client and of the document client.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { paginateQuery, paginateScan } from "@aws-sdk/client-dynamodb";
import {
  BatchWriteCommand,
  paginateQuery as paginateDocumentQuery,
  paginateScan as paginateDocumentScan,
} from "@aws-sdk/lib-dynamodb";
import { createTable, makeClient, makeDocumentClient } from "./client.mjs";
import { startServer } from "./server.mjs";

const TableName = "Music";
const songs = Array.from({ length: 10 }, (_, i) => `song ${i}`);
let server, client, documents;
before(async () => {
  server = await startServer();
  client = makeClient(server.endpoint);
  documents = makeDocumentClient(client);
  await createTable(client, TableName);
  for (const artist of ["Fela Kuti", "Nina Simone"]) {
    const puts = songs.map((song, plays) => ({ PutRequest: { Item: { artist, song, plays } } }));
    await documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: puts } }));
  }
});
after(async () => {
  client.destroy();
  await server.stop();
});

async function pagesOf(paginator) {
  const pages = [];
  for await (const { Items } of paginator) pages.push(Items);
  return pages;
}
const songsOf = (page) => page.map(({ song }) => song.S ?? song);

test("the songs of an artist are read a page at a time, both ways", async () => {
  const KeyConditionExpression = "artist = :artist";
  const forth = await pagesOf(
    paginateQuery(
      { client, pageSize: 4 },
      { TableName, KeyConditionExpression, ExpressionAttributeValues: { ":artist": { S: "Fela Kuti" } } },
    ),
  );
  assert.deepEqual(forth.map(songsOf), [songs.slice(0, 4), songs.slice(4, 8), songs.slice(8)]);
  assert.deepEqual(forth[0][0], { artist: { S: "Fela Kuti" }, song: { S: "song 0" }, plays: { N: "0" } });

  const back = await pagesOf(
    paginateDocumentQuery(
      { client: documents, pageSize: 4 },
      {
        TableName,
        KeyConditionExpression,
        FilterExpression: "plays <> :five",
        ExpressionAttributeValues: { ":artist": "Nina Simone", ":five": 5 },
        ScanIndexForward: false,
      },
    ),
  );
  assert.deepEqual(back.map(songsOf), [
    ["song 9", "song 8", "song 7", "song 6"],
    ["song 4", "song 3", "song 2"],
    ["song 1", "song 0"],
  ]);
});

test("a scan is read a page at a time, whole and in segments", async () => {
  const whole = await pagesOf(paginateScan({ client, pageSize: 6 }, { TableName }));
  assert.deepEqual(
    whole.map((page) => page.length),
    [6, 6, 6, 2],
  );
  const names = (pages) => pages.flat().map(({ artist, song }) => `${artist.S ?? artist}: ${song.S ?? song}`);
  const all = ["Fela Kuti", "Nina Simone"].flatMap((artist) => songs.map((song) => `${artist}: ${song}`));
  assert.deepEqual(names(whole).sort(), all);

  const segments = await Promise.all(
    [0, 1, 2].map((Segment) =>
      pagesOf(paginateDocumentScan({ client: documents, pageSize: 3 }, { TableName, Segment, TotalSegments: 3 })),
    ),
  );
  assert.deepEqual(names(segments.flat()).sort(), all);
});
