import { callQuietly as call } from "./dynamodb.js";

async function shardsOf(StreamArn) {
  const shards = [];
  let ExclusiveStartShardId;
  do {
    const { StreamDescription: page } = await call("DescribeStream", { StreamArn, ExclusiveStartShardId });
    shards.push(...page.Shards);
    ExclusiveStartShardId = page.LastEvaluatedShardId;
  } while (ExclusiveStartShardId);
  return shards;
}

/** Reads a stream as it grows, all its shards at once. */
export class StreamReader {
  #arn;
  #fromStart;
  #iterators = new Map();  // by the shard's id; null for a shard that has been read to its end
  #began = false;

  /** `fromStart`: also what is in the stream by now. */
  constructor(arn, fromStart) {
    this.#arn = arn;
    this.#fromStart = fromStart;
  }

  /** Returns the records that have come since the last call, in the order of each shard. */
  async poll() {
    await this.#findShards();
    const records = [];
    for (const [shard, iterator] of this.#iterators) {
      if (iterator) records.push(...await this.#read(shard, iterator));
    }
    return records;
  }

  async #findShards() {
    const shards = await shardsOf(this.#arn);
    for (const { ShardId, SequenceNumberRange } of shards) {
      if (!this.#iterators.has(ShardId)) this.#iterators.set(ShardId, await this.#iterator(ShardId, SequenceNumberRange));
    }
    this.#began = true;
  }

  async #iterator(shard, { EndingSequenceNumber }) {
    const late = !this.#began && !this.#fromStart;
    if (late && EndingSequenceNumber) return null;
    const { ShardIterator } = await call("GetShardIterator", {
      StreamArn: this.#arn, ShardId: shard, ShardIteratorType: late ? "LATEST" : "TRIM_HORIZON",
    });
    return ShardIterator;
  }

  async #read(shard, iterator) {
    const { Records, NextShardIterator } = await call("GetRecords", { ShardIterator: iterator });
    this.#iterators.set(shard, NextShardIterator ?? null);
    return Records;
  }
}
