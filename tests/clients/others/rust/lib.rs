//! The SDK for Rust, as it is used: every case has a table of its own. The environment leads it to the server.
#![cfg(test)]

use std::collections::HashMap;
use std::time::Duration;

use aws_sdk_dynamodb::client::Waiters;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, AttributeValue, BillingMode, FilterSpecification, Get, KeySchemaElement, KeyType,
    KeysAndAttributes, PointInTimeRecoverySpecification, Put, PutRequest, ReturnValue, ReturnValuesOnConditionCheckFailure,
    ScalarAttributeType, StreamSpecification, StreamViewType, TableDescription, TransactGetItem, TransactWriteItem,
    WriteRequest,
};
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodbstreams::types::{OperationType, ShardIteratorType};
use aws_smithy_http_client::Builder;

const BUCKET: &str = "clients";
const PATIENCE: Duration = Duration::from_secs(60);

fn s(text: &str) -> AttributeValue {
    AttributeValue::S(text.into())
}

fn n(number: u32) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

fn key(number: u32) -> HashMap<String, AttributeValue> {
    HashMap::from([("p".into(), s("a")), ("s".into(), n(number))])
}

async fn settings() -> aws_config::SdkConfig {
    aws_config::from_env().http_client(Builder::new().build_http()).load().await
}

struct Table {
    client: Client,
    name: String,
    made: TableDescription,
}

fn attribute(name: &str, kind: ScalarAttributeType) -> AttributeDefinition {
    AttributeDefinition::builder().attribute_name(name).attribute_type(kind).build().unwrap()
}

fn schema(name: &str, kind: KeyType) -> KeySchemaElement {
    KeySchemaElement::builder().attribute_name(name).key_type(kind).build().unwrap()
}

impl Table {
    async fn new(name: &str) -> Table {
        let client = Client::new(&settings().await);
        let stream = StreamSpecification::builder().stream_enabled(true).stream_view_type(StreamViewType::NewAndOldImages);
        let created = client
            .create_table()
            .table_name(name)
            .billing_mode(BillingMode::PayPerRequest)
            .attribute_definitions(attribute("p", ScalarAttributeType::S))
            .attribute_definitions(attribute("s", ScalarAttributeType::N))
            .key_schema(schema("p", KeyType::Hash))
            .key_schema(schema("s", KeyType::Range))
            .stream_specification(stream.build().unwrap())
            .send()
            .await
            .unwrap();
        client.wait_until_table_exists().table_name(name).wait(PATIENCE).await.unwrap();
        Table { client, name: name.into(), made: created.table_description.unwrap() }
    }

    async fn put(&self, count: u32) {
        for number in 0..count {
            self.client.put_item().table_name(&self.name).set_item(Some(key(number))).send().await.unwrap();
        }
    }

    async fn drop(self) {
        self.client.delete_table().table_name(&self.name).send().await.unwrap();
        self.client.wait_until_table_not_exists().table_name(&self.name).wait(PATIENCE).await.unwrap();
    }
}

#[tokio::test]
async fn tables() {
    let table = Table::new("tables").await;
    let mut pages = table.client.list_tables().into_paginator().page_size(1).items().send();
    let mut names = Vec::new();
    while let Some(name) = pages.next().await {
        names.push(name.unwrap());
    }
    assert!(names.contains(&table.name), "{names:?}");
    table.drop().await;
}

#[tokio::test]
async fn items() {
    let table = Table::new("items").await;
    let mut item = key(1);
    item.insert("map".into(), AttributeValue::M(HashMap::from([("deep".into(), AttributeValue::Bool(true))])));
    let put = table.client.put_item().table_name(&table.name).set_item(Some(item.clone()));
    put.send().await.unwrap();
    let read = table.client.get_item().table_name(&table.name).set_key(Some(key(1))).send().await.unwrap();
    assert_eq!(read.item, Some(item));
    let updated = table
        .client
        .update_item()
        .table_name(&table.name)
        .set_key(Some(key(1)))
        .update_expression("ADD #n :one")
        .expression_attribute_names("#n", "n")
        .expression_attribute_values(":one", n(1))
        .return_values(ReturnValue::UpdatedNew)
        .send()
        .await
        .unwrap();
    assert_eq!(updated.attributes, Some(HashMap::from([("n".to_string(), n(1))])));
    let delete = table.client.delete_item().table_name(&table.name).set_key(Some(key(1)));
    let deleted = delete.return_values(ReturnValue::AllOld).send().await.unwrap();
    assert_eq!(deleted.attributes.unwrap().len(), 4);
    table.drop().await;
}

#[tokio::test]
async fn conditions() {
    let table = Table::new("conditions").await;
    table.put(1).await;
    let again = table.client.put_item().table_name(&table.name).set_item(Some(key(0)));
    let refused = again
        .condition_expression("attribute_not_exists(p)")
        .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld)
        .send()
        .await
        .unwrap_err()
        .into_service_error();
    assert!(refused.is_conditional_check_failed_exception(), "{refused:?}");
    table.drop().await;
}

#[tokio::test]
async fn query_in_pages() {
    let table = Table::new("query_in_pages").await;
    table.put(30).await;
    let mut pages = table
        .client
        .query()
        .table_name(&table.name)
        .limit(7)
        .key_condition_expression("p = :p AND s >= :s")
        .expression_attribute_values(":p", s("a"))
        .expression_attribute_values(":s", n(10))
        .into_paginator()
        .items()
        .send();
    let mut found = Vec::new();
    while let Some(item) = pages.next().await {
        found.push(item.unwrap());
    }
    assert_eq!(found, (10..30).map(key).collect::<Vec<_>>());
    table.drop().await;
}

#[tokio::test]
async fn batches() {
    let table = Table::new("batches").await;
    let put = |number| PutRequest::builder().set_item(Some(key(number))).build().unwrap();
    let puts = (0..25).map(|number| WriteRequest::builder().put_request(put(number)).build()).collect();
    table.client.batch_write_item().request_items(&table.name, puts).send().await.unwrap();
    let keys = KeysAndAttributes::builder().set_keys(Some((0..25).map(key).collect())).build().unwrap();
    let read = table.client.batch_get_item().request_items(&table.name, keys).send().await.unwrap();
    assert_eq!(read.responses.unwrap()[&table.name].len(), 25);
    table.drop().await;
}

#[tokio::test]
async fn transactions() {
    let table = Table::new("transactions").await;
    let put = Put::builder().table_name(&table.name).set_item(Some(key(1)));
    let put = put.condition_expression("attribute_not_exists(p)").build().unwrap();
    let write = table.client.transact_write_items().transact_items(TransactWriteItem::builder().put(put).build());
    write.clone().send().await.unwrap();
    let cancelled = write.send().await.unwrap_err().into_service_error();
    assert!(cancelled.is_transaction_canceled_exception(), "{cancelled:?}");
    let get = Get::builder().table_name(&table.name).set_key(Some(key(1))).build().unwrap();
    let read = table.client.transact_get_items().transact_items(TransactGetItem::builder().get(get).build());
    assert_eq!(read.send().await.unwrap().responses.unwrap()[0].item, Some(key(1)));
    table.drop().await;
}

#[tokio::test]
async fn statements() {
    let table = Table::new("statements").await;
    table.put(3).await;
    let statement = format!("SELECT s FROM \"{}\" WHERE p = ? AND s >= 1", table.name);
    let read = table.client.execute_statement().statement(statement).parameters(s("a")).send().await.unwrap();
    assert_eq!(read.items.unwrap().len(), 2);
    table.drop().await;
}

#[tokio::test]
async fn streams() {
    let table = Table::new("streams").await;
    table.put(1).await;
    table.client.delete_item().table_name(&table.name).set_key(Some(key(0))).send().await.unwrap();
    let reader = aws_sdk_dynamodbstreams::Client::new(&settings().await);
    let arn = table.made.latest_stream_arn.clone().unwrap();
    let stream = reader.describe_stream().stream_arn(&arn).send().await.unwrap();
    let mut events = Vec::new();
    for shard in stream.stream_description.unwrap().shards.unwrap() {
        let begin = reader
            .get_shard_iterator()
            .stream_arn(&arn)
            .shard_id(shard.shard_id.unwrap())
            .shard_iterator_type(ShardIteratorType::TrimHorizon)
            .send()
            .await
            .unwrap();
        let read = reader.get_records().shard_iterator(begin.shard_iterator.unwrap()).send().await.unwrap();
        events.extend(read.records.unwrap().into_iter().map(|record| record.event_name.unwrap()));
    }
    assert_eq!(events, [OperationType::Insert, OperationType::Remove]);
    table.drop().await;
}

#[test]
#[ignore = "aws-sdk-dynamodb 1.136 has no StartBulkPutItems"]
fn bulk_writes() {}

#[tokio::test]
async fn filtered_exports() {
    let table = Table::new("filtered_exports").await;
    table.put(10).await;
    let recovery = PointInTimeRecoverySpecification::builder().point_in_time_recovery_enabled(true).build().unwrap();
    let backups = table.client.update_continuous_backups().table_name(&table.name);
    backups.point_in_time_recovery_specification(recovery).send().await.unwrap();
    let filter = FilterSpecification::builder().filter_expression("s < :n").expression_attribute_values(":n", n(4));
    let export = table.client.export_table_to_point_in_time().table_arn(table.made.table_arn.as_ref().unwrap());
    let started = export.s3_bucket(BUCKET).filter_specification(filter.build()).send().await.unwrap();
    let arn = started.export_description.unwrap().export_arn.unwrap();
    table.client.wait_until_export_completed().export_arn(&arn).wait(PATIENCE).await.unwrap();
    let done = table.client.describe_export().export_arn(&arn).send().await.unwrap();
    assert_eq!(done.export_description.unwrap().item_count, Some(4));
    table.drop().await;
}
