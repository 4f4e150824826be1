// Tools that start DynamoDB Local, unmodified: the java on their PATH is Dinette. Each test calls the entry points that
// the tool's framework calls.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { GetItemCommand, ListTablesCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { makeClient } from "./client.mjs";
import { whileServing, withJava } from "./java.mjs";

const require = createRequire(import.meta.url);

const albums = {
  TableName: "Albums",
  AttributeDefinitions: [{ AttributeName: "artist", AttributeType: "S" }],
  KeySchema: [{ AttributeName: "artist", KeyType: "HASH" }],
};
const provisioned = { ProvisionedThroughput: { ReadCapacityUnits: 1, WriteCapacityUnits: 1 } };

async function withClient(endpoint, body) {
  const client = makeClient(endpoint);
  try {
    await body(client);
  } finally {
    client.destroy();
  }
}

const read = (client, TableName, artist) =>
  client.send(new GetItemCommand({ TableName, Key: { artist: { S: artist } } })).then(({ Item }) => Item);

test("@shelf/jest-dynamodb: global setup and teardown of its preset", () =>
  withJava(async ({ folder, jars, port, endpoint }) => {
    const config = { tables: [{ ...albums, ...provisioned }], port, installerConfig: { installPath: jars } };
    process.env.JEST_DYNAMODB_CONFIG = join(folder, "jest-dynamodb-config.json");
    await writeFile(process.env.JEST_DYNAMODB_CONFIG, JSON.stringify(config));
    const preset = require("@shelf/jest-dynamodb/jest-preset.js");
    await require(preset.globalSetup).default();
    await whileServing(port, () => require(preset.globalTeardown).default({}), () =>
      withClient(endpoint, async (client) => {
        const Item = { artist: { S: "Nina Simone" } };
        await client.send(new PutItemCommand({ TableName: "Albums", Item }));
        assert.deepEqual(await read(client, "Albums", "Nina Simone"), Item);
      }));
  }));

test("serverless-dynamodb: hooks of serverless offline", () =>
  withJava(async ({ folder, port, endpoint }) => {
    const seeds = join(folder, "albums.json");
    await writeFile(seeds, JSON.stringify([{ artist: "Fela Kuti", sold: 3 }]));
    const Plugin = require("serverless-dynamodb");
    const { hooks } = new Plugin(
      {
        config: { servicePath: folder },
        cli: { log() {} },
        service: {
          provider: { stage: "dev" },
          custom: {
            "serverless-dynamodb": {
              stages: ["dev"],
              start: { port, inMemory: true },
              seed: { all: { sources: [{ table: "Albums", sources: [relative("", seeds)] }] } },
            },
          },
          resources: { Resources: { Albums: { Type: "AWS::DynamoDB::Table", Properties: { ...albums } } } },
        },
      },
      {},
    );
    await hooks["before:offline:start:init"]();
    await whileServing(port, hooks["before:offline:start:end"], async () => {
      await hooks["dynamodb:migrate:migrateHandler"]();
      await hooks["dynamodb:seed:seedHandler"]();
      await withClient(endpoint, async (client) => {
        assert.deepEqual(await read(client, "Albums", "Fela Kuti"), { artist: { S: "Fela Kuti" }, sold: { N: "3" } });
      });
    });
  }));

test("@architect/sandbox with an external database", () =>
  withJava(async ({ folder, port, endpoint }) => {
    await writeFile(join(folder, "app.arc"), "@app\nmusic\n\n@tables\nalbums\n  artist *String\n  year **Number\n");
    await writeFile(join(folder, "sandbox-seed.json"), JSON.stringify({ albums: [{ artist: "Fela Kuti", year: 1976 }] }));
    Object.assign(process.env, {
      ARC_DB_EXTERNAL: "true",
      ARC_ENV: "testing",
      ARC_TABLES_PORT: String(port),
      AWS_ACCESS_KEY_ID: "key",
      AWS_SECRET_ACCESS_KEY: "secret",
    });
    const java = spawn("java", ["-jar", "DynamoDBLocal.jar", "-inMemory", "-port", String(port)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    for await (const line of createInterface({ input: java.stdout })) if (line.startsWith("CorsParams:")) break;
    await whileServing(port, () => java.kill(), async () => {
      const sandbox = require("@architect/sandbox");
      await sandbox.start({ cwd: folder, quiet: true });
      await withClient(endpoint, async (client) => {
        const { TableNames } = await client.send(new ListTablesCommand({}));
        assert.ok(TableNames.includes("music-staging-albums"), TableNames.join());
        const Key = { artist: { S: "Fela Kuti" }, year: { N: "1976" } };
        const { Item } = await client.send(new GetItemCommand({ TableName: "music-staging-albums", Key }));
        assert.deepEqual(Item, Key);
      });
      await sandbox.end();
    });
  }));
