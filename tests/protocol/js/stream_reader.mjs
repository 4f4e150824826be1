// Reads a table's stream as programs do: parents before their children, page by page, on from the last record read.
import assert from "node:assert/strict";
import {
  DescribeStreamCommand,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from "@aws-sdk/client-dynamodb-streams";

export class StreamReader {
  #client;
  #streamArn;
  #onRecord;
  #places = new Map(); // shard id -> {iterator, last, finished}; last: a sequence number

  /** Finds the table's only stream; `onRecord` is called with each record, in order for each item. */
  static async of(client, TableName, onRecord) {
    const { Streams } = await client.send(new ListStreamsCommand({ TableName }));
    assert.equal(Streams.length, 1);
    const reader = new StreamReader();
    reader.#client = client;
    reader.#streamArn = Streams[0].StreamArn;
    reader.#onRecord = onRecord;
    return reader;
  }

  /** All shards, from small pages. */
  async shards() {
    const all = [];
    const request = { StreamArn: this.#streamArn, Limit: 3 };
    for (;;) {
      const { StreamDescription } = await this.#client.send(new DescribeStreamCommand(request));
      all.push(...StreamDescription.Shards);
      request.ExclusiveStartShardId = StreamDescription.LastEvaluatedShardId;
      if (!request.ExclusiveStartShardId) return all;
    }
  }

  /** Reads what there is now: each shard, and at once the shards that follow it. */
  async readAll() {
    const shards = await this.shards();
    const listed = new Set(shards.map((shard) => shard.ShardId));
    const read = async ({ ShardId }) => {
      if (!this.#places.has(ShardId)) this.#places.set(ShardId, {});
      const place = this.#places.get(ShardId);
      await this.#readShard(ShardId, place);
      if (!place.finished) return;
      for (const child of shards.filter((shard) => shard.ParentShardId === ShardId)) await read(child);
    };
    for (const shard of shards.filter(({ ParentShardId }) => !listed.has(ParentShardId))) await read(shard);
  }

  async #readShard(shardId, place) {
    while (!place.finished) {
      place.iterator ??= await this.#iterator(shardId, place.last);
      const page = await this.#page(place);
      if (!page) continue;
      for (const record of page.Records) {
        const number = record.dynamodb.SequenceNumber;
        assert.ok(!place.last || BigInt(number) > BigInt(place.last), "sequence numbers grow");
        place.last = number;
        this.#onRecord(record);
      }
      place.iterator = page.NextShardIterator;
      place.finished = !page.NextShardIterator;
      if (page.Records.length === 0) return;
    }
  }

  async #iterator(ShardId, last) {
    const from = last
      ? { ShardIteratorType: "AFTER_SEQUENCE_NUMBER", SequenceNumber: last }
      : { ShardIteratorType: "TRIM_HORIZON" };
    const request = { StreamArn: this.#streamArn, ShardId, ...from };
    return (await this.#client.send(new GetShardIteratorCommand(request))).ShardIterator;
  }

  /** Nothing if another iterator is needed. */
  async #page(place) {
    try {
      return await this.#client.send(new GetRecordsCommand({ ShardIterator: place.iterator, Limit: 10 }));
    } catch (error) {
      if (!(error instanceof ExpiredIteratorException)) throw error;
      place.iterator = undefined;
      return undefined;
    }
  }
}
