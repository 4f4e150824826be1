// Tables made again as they are described.

const some = (name, list) => (list?.length ? { [name]: list } : {});
const present = (name, value) => (value === undefined ? {} : { [name]: value });

const throughputOf = ({ ProvisionedThroughput: of }) => ({
  ReadCapacityUnits: of?.ReadCapacityUnits || 1, WriteCapacityUnits: of?.WriteCapacityUnits || 1 });

const vectorIndex = ({ IndexName, VectorAttribute, Dimensions, DistanceFunction, Projection, SearchSchema }) =>
  ({ IndexName, VectorAttribute, Dimensions, DistanceFunction, Projection, ...present("SearchSchema", SearchSchema) });

/** Returns the input of the CreateTable that makes such a table, without what belongs to it elsewhere: time to live, tags. */
export function definitionOf(table) {
  const isProvisioned = table.BillingModeSummary?.BillingMode !== "PAY_PER_REQUEST";
  const index = (isGlobal) => (one) => ({
    IndexName: one.IndexName, KeySchema: one.KeySchema, Projection: one.Projection,
    ...(isGlobal && isProvisioned ? { ProvisionedThroughput: throughputOf(one) } : {}),
    ...(isGlobal ? present("OnDemandThroughput", one.OnDemandThroughput) : {}),
  });
  const { StreamEnabled, StreamViewType } = table.StreamSpecification ?? {};
  const { SSEType, KMSMasterKeyArn } = table.SSEDescription ?? {};
  return {
    TableName: table.TableName, KeySchema: table.KeySchema, AttributeDefinitions: table.AttributeDefinitions,
    BillingMode: isProvisioned ? "PROVISIONED" : "PAY_PER_REQUEST",
    ...(isProvisioned ? { ProvisionedThroughput: throughputOf(table) } : {}),
    ...present("OnDemandThroughput", table.OnDemandThroughput),
    ...some("GlobalSecondaryIndexes", table.GlobalSecondaryIndexes?.map(index(true))),
    ...some("LocalSecondaryIndexes", table.LocalSecondaryIndexes?.map(index(false))),
    ...some("VectorIndexes", table.VectorIndexes?.map(vectorIndex)),
    ...(StreamEnabled ? { StreamSpecification: { StreamEnabled, StreamViewType } } : {}),
    ...present("TableClass", table.TableClassSummary?.TableClass),
    ...(SSEType ? { SSESpecification: { Enabled: true, SSEType, ...present("KMSMasterKeyId", KMSMasterKeyArn) } } : {}),
    ...(table.DeletionProtectionEnabled ? { DeletionProtectionEnabled: true } : {}),
  };
}
