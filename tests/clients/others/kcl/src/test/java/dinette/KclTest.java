package dinette;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.http.Protocol;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.services.cloudwatch.CloudWatchAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.kinesis.KinesisAsyncClient;
import software.amazon.awssdk.services.kinesis.model.Shard;
import software.amazon.kinesis.common.ConfigsBuilder;
import software.amazon.kinesis.common.InitialPositionInStream;
import software.amazon.kinesis.common.InitialPositionInStreamExtended;
import software.amazon.kinesis.common.StreamIdentifier;
import software.amazon.kinesis.coordinator.Scheduler;
import software.amazon.kinesis.exceptions.InvalidStateException;
import software.amazon.kinesis.exceptions.ShutdownException;
import software.amazon.kinesis.lifecycle.events.InitializationInput;
import software.amazon.kinesis.lifecycle.events.LeaseLostInput;
import software.amazon.kinesis.lifecycle.events.ProcessRecordsInput;
import software.amazon.kinesis.lifecycle.events.ShardEndedInput;
import software.amazon.kinesis.lifecycle.events.ShutdownRequestedInput;
import software.amazon.kinesis.metrics.NullMetricsFactory;
import software.amazon.kinesis.processor.RecordProcessorCheckpointer;
import software.amazon.kinesis.processor.ShardRecordProcessor;
import software.amazon.kinesis.processor.SingleStreamTracker;
import software.amazon.kinesis.retrieval.KinesisClientRecord;
import software.amazon.kinesis.retrieval.polling.PollingConfig;

/** An application of the Kinesis Client Library reads the changes of a table. Its leases are in a table of the same server. */
class KclTest {
  private static final String TABLE = "Music";
  private static final String STREAM = "changes";
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final URI endpoint = URI.create(System.getenv("AWS_ENDPOINT_URL"));
  private final NettyNioAsyncHttpClient.Builder http = NettyNioAsyncHttpClient.builder().protocol(Protocol.HTTP1_1);
  private final DynamoDbAsyncClient tables = DynamoDbAsyncClient.builder().endpointOverride(endpoint).build();
  private final KinesisAsyncClient streams =
      KinesisAsyncClient.builder().endpointOverride(endpoint).httpClientBuilder(http).build();
  private final CloudWatchAsyncClient metrics = CloudWatchAsyncClient.builder().endpointOverride(endpoint).build();
  private final Changes changes = new Changes();

  /** What processors have seen: the values of each item, in order. */
  private static class Changes {
    private final Map<String, List<Integer>> values = new HashMap<>();

    synchronized void add(String record) {
      String image = record.substring(record.indexOf("\"NewImage\""));
      values.computeIfAbsent(field(image, "\"pk\":\\{\"S\":\"(\\w+)\""), item -> new ArrayList<>())
          .add(Integer.valueOf(field(image, "\"n\":\\{\"N\":\"(\\d+)\"")));
    }

    private static String field(String text, String pattern) {
      Matcher found = Pattern.compile(pattern).matcher(text);
      assertTrue(found.find(), text);
      return found.group(1);
    }

    /** Returns true once every item has had every value up to the last. */
    synchronized boolean reached(int items, int last) {
      return values.size() == items && values.values().stream().allMatch(seen -> seen.contains(last));
    }

    /** The values of an item without repetitions, which are allowed when a worker goes on after another. */
    synchronized List<Integer> of(String item) {
      List<Integer> first = new ArrayList<>();
      for (Integer value : values.get(item)) {
        if (!first.contains(value)) first.add(value);
      }
      return first;
    }
  }

  private class Processor implements ShardRecordProcessor {
    @Override
    public void initialize(InitializationInput input) {}

    @Override
    public void processRecords(ProcessRecordsInput input) {
      for (KinesisClientRecord record : input.records()) {
        changes.add(StandardCharsets.UTF_8.decode(record.data()).toString());
      }
      checkpoint(input.checkpointer());
    }

    @Override
    public void leaseLost(LeaseLostInput input) {}

    @Override
    public void shardEnded(ShardEndedInput input) {
      checkpoint(input.checkpointer());
    }

    @Override
    public void shutdownRequested(ShutdownRequestedInput input) {
      checkpoint(input.checkpointer());
    }

    private void checkpoint(RecordProcessorCheckpointer checkpointer) {
      try {
        checkpointer.checkpoint();
      } catch (InvalidStateException | ShutdownException error) {
        throw new IllegalStateException(error);
      }
    }
  }

  private Scheduler start(String worker) {
    var position = InitialPositionInStreamExtended.newInitialPosition(InitialPositionInStream.TRIM_HORIZON);
    var tracker = new SingleStreamTracker(StreamIdentifier.singleStreamInstance(STREAM), position);
    var configs = new ConfigsBuilder(tracker, "reader", streams, tables, metrics, worker, Processor::new);
    var scheduler =
        new Scheduler(
            configs.checkpointConfig(),
            configs.coordinatorConfig(),
            configs.leaseManagementConfig().shardSyncIntervalMillis(1000).failoverTimeMillis(3000),
            configs.lifecycleConfig(),
            configs.metricsConfig().metricsFactory(new NullMetricsFactory()),
            configs.processorConfig(),
            configs.retrievalConfig().retrievalSpecificConfig(new PollingConfig(STREAM, streams)));
    Thread thread = new Thread(scheduler, worker);
    thread.setDaemon(true);
    thread.start();
    return scheduler;
  }

  private static void waitUntil(BooleanSupplier so, String what) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!so.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, what);
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static String item(int number) {
    return "item" + number;
  }

  private void put(int from, int to) {
    for (int value = from; value <= to; ++value) {
      for (int number = 0; number < 10; ++number) {
        var pk = AttributeValue.fromS(item(number));
        var n = AttributeValue.fromN(String.valueOf(value));
        tables.putItem(put -> put.tableName(TABLE).item(Map.of("pk", pk, "n", n))).join();
      }
    }
  }

  @BeforeEach
  void createTableAndStream() {
    streams.createStream(create -> create.streamName(STREAM).shardCount(2)).join();
    tables
        .createTable(
            create ->
                create
                    .tableName(TABLE)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .keySchema(key -> key.attributeName("pk").keyType(KeyType.HASH))
                    .attributeDefinitions(pk -> pk.attributeName("pk").attributeType(ScalarAttributeType.S)))
        .join();
    String arn =
        streams.describeStreamSummary(of -> of.streamName(STREAM)).join().streamDescriptionSummary().streamARN();
    tables.enableKinesisStreamingDestination(enable -> enable.tableName(TABLE).streamArn(arn)).join();
  }

  @AfterEach
  void close() {
    tables.close();
    streams.close();
    metrics.close();
  }

  private void splitFirstShard() {
    Shard first = streams.listShards(list -> list.streamName(STREAM)).join().shards().get(0);
    var range = first.hashKeyRange();
    var middle =
        new java.math.BigInteger(range.startingHashKey()).add(new java.math.BigInteger(range.endingHashKey())).shiftRight(1);
    streams
        .splitShard(
            split ->
                split.streamName(STREAM).shardToSplit(first.shardId()).newStartingHashKey(middle.toString()))
        .join();
  }

  @Test
  void readsEveryChangeInOrderThroughReshardingAndAnotherWorker() throws Exception {
    Scheduler first = start("first");
    put(1, 5);
    waitUntil(() -> changes.reached(10, 5), "the first changes");
    splitFirstShard();
    put(6, 10);
    waitUntil(() -> changes.reached(10, 10), "changes after the split");
    first.startGracefulShutdown().get();
    put(11, 15);
    Scheduler second = start("second");
    waitUntil(() -> changes.reached(10, 15), "changes for the second worker");
    second.startGracefulShutdown().get();
    List<Integer> all = new ArrayList<>();
    for (int value = 1; value <= 15; ++value) all.add(value);
    for (int number = 0; number < 10; ++number) assertEquals(all, changes.of(item(number)), item(number));
  }
}
