// The small S3 with the AWS SDK v3, whose requests carry checksums: as headers, or behind bodies in chunks.
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NoSuchKey,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { startServer } from "./server.mjs";

const Bucket = "bucket";
let server;
let s3;

before(async () => {
  server = await startServer();
  s3 = new S3Client({
    endpoint: server.endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "key", secretAccessKey: "secret" },
    forcePathStyle: true,
  });
  await s3.send(new CreateBucketCommand({ Bucket }));
});

after(async () => {
  s3.destroy();
  await server.stop();
});

const read = async (Key, more = {}) => {
  const answer = await s3.send(new GetObjectCommand({ Bucket, Key, ...more }));
  return Buffer.from(await answer.Body.transformToByteArray());
};

test("an object is put and read, and its checksum holds", async () => {
  const put = await s3.send(new PutObjectCommand({ Bucket, Key: "a/b", Body: "text", ContentType: "text/plain" }));
  assert.ok(put.ChecksumCRC32, "the SDK sends one by default");
  const head = await s3.send(new HeadObjectCommand({ Bucket, Key: "a/b", ChecksumMode: "ENABLED" }));
  assert.equal(head.ChecksumCRC32, put.ChecksumCRC32);
  assert.equal(head.ContentType, "text/plain");
  assert.equal((await read("a/b")).toString(), "text");
  assert.equal((await read("a/b", { Range: "bytes=1-2" })).toString(), "ex");
});

for (const ChecksumAlgorithm of ["CRC32", "CRC32C", "SHA1", "SHA256"]) {
  test(`a stream is sent in chunks, with its ${ChecksumAlgorithm} behind it`, async () => {
    const content = Buffer.alloc(200_000, "0123456789");
    const Body = Readable.from([content.subarray(0, 70_000), content.subarray(70_000)]);
    const Key = `stream-${ChecksumAlgorithm}`;
    const put = await s3.send(
      new PutObjectCommand({ Bucket, Key, Body, ContentLength: content.length, ChecksumAlgorithm }),
    );
    assert.ok(put[`Checksum${ChecksumAlgorithm}`]);
    assert.ok((await read(Key)).equals(content));
  });
}

test("an object larger than a request to DynamoDB is put in one go", async () => {
  const content = Buffer.alloc(20 * 1024 * 1024, "0123456789");
  await s3.send(new PutObjectCommand({ Bucket, Key: "whole", Body: content }));
  assert.ok((await read("whole")).equals(content));
});

test("lib-storage uploads in parts", async () => {
  const content = Buffer.alloc(11 * 1024 * 1024, "abcdefghijk");
  await new Upload({ client: s3, params: { Bucket, Key: "large", Body: Readable.from([content]) } }).done();
  assert.ok((await read("large")).equals(content));
  const head = await s3.send(new HeadObjectCommand({ Bucket, Key: "large" }));
  assert.match(head.ETag, /^"[0-9a-f]{32}-3"$/);
});

test("pages of a listing have awkward keys", async () => {
  const keys = ["list/ ", "list/&<>", "list/a+b", "list/ä", "list/\t"];
  for (const Key of keys) await s3.send(new PutObjectCommand({ Bucket, Key, Body: "" }));
  const found = [];
  for await (const page of paginateListObjectsV2({ client: s3, pageSize: 2 }, { Bucket, Prefix: "list/" }))
    found.push(...page.Contents.map((one) => one.Key));
  assert.deepEqual(found, [...keys].sort());
});

test("what is missing is an exception of its class", async () => {
  await assert.rejects(read("none"), (error) => error instanceof NoSuchKey && error.message.includes("does not exist"));
});
