// The operations on items and tables that programs call most, for forms that take any.
export const operations = ["BatchExecuteStatement", "BatchGetItem", "BatchWriteItem", "CreateTable", "DeleteItem", "DeleteTable",
  "DescribeTable", "ExecuteStatement", "ExecuteTransaction", "GetItem", "GetRecords", "ListTables", "PutItem", "Query", "Scan",
  "TransactGetItems", "TransactWriteItems", "UpdateItem", "UpdateTable"];
