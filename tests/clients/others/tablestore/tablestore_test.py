"""The newest client of Tablestore for Python. It verifies the digest, the date and the signature of every reply."""

import os
import uuid

import pytest
import tablestore as ots

KEY = [("gid", 1), ("uid", "a")]


@pytest.fixture(scope="module")
def client():
    return ots.OTSClient(os.environ["AWS_ENDPOINT_URL"], "ak", "sk", "inst", retry_policy=ots.NoRetryPolicy())


@pytest.fixture
def table(client):
    name = "t" + uuid.uuid4().hex
    meta = ots.TableMeta(name, [("gid", "INTEGER"), ("uid", "STRING")])
    client.create_table(meta, ots.TableOptions(max_version=2), ots.ReservedThroughput(ots.CapacityUnit(0, 0)))
    yield name
    client.delete_table(name)


def put(client, table, key, columns, expectation=ots.RowExistenceExpectation.IGNORE):
    return client.put_row(table, ots.Row(key, columns), ots.Condition(expectation))


def columns_of(row):
    return {name: value for name, value, _ in row.attribute_columns}


def test_tables_are_described_and_listed(client, table):
    described = client.describe_table(table)
    assert described.table_meta.schema_of_primary_key == [("gid", "INTEGER"), ("uid", "STRING")]
    assert described.table_options.max_version == 2
    assert table in client.list_table()


def test_a_row_has_values_of_all_types(client, table):
    columns = [("b", bytearray(b"\0\xff")), ("d", 1.5), ("i", -7), ("s", "表"), ("t", True)]
    put(client, table, KEY, columns)
    _, row, _ = client.get_row(table, KEY, max_version=1)
    assert columns_of(row) == dict(columns)
    assert row.primary_key == KEY


def test_a_missing_row_is_none(client, table):
    assert client.get_row(table, KEY, max_version=1)[1] is None


def test_conditions_guard_writes(client, table):
    put(client, table, KEY, [("c", 1)], ots.RowExistenceExpectation.EXPECT_NOT_EXIST)
    with pytest.raises(ots.OTSServiceError) as refused:
        put(client, table, KEY, [("c", 2)], ots.RowExistenceExpectation.EXPECT_NOT_EXIST)
    assert refused.value.code == "OTSConditionCheckFail"
    assert refused.value.message == "Condition check failed."


def test_an_update_puts_and_deletes(client, table):
    put(client, table, KEY, [("gone", 1)])
    change = {"PUT": [("fresh", 2)], "DELETE_ALL": [("gone")]}
    client.update_row(table, ots.Row(KEY, change), ots.Condition(ots.RowExistenceExpectation.EXPECT_EXIST))
    assert columns_of(client.get_row(table, KEY, max_version=1)[1]) == {"fresh": 2}


def test_a_range_is_read_in_pages(client, table):
    for number in range(5):
        put(client, table, [("gid", number), ("uid", "a")], [("c", number)])
    start = [("gid", ots.INF_MIN), ("uid", ots.INF_MIN)]
    end = [("gid", ots.INF_MAX), ("uid", ots.INF_MAX)]
    pages = []
    while start:
        _, start, rows, _ = client.get_range(table, ots.Direction.FORWARD, start, end, limit=2, max_version=1)
        pages.append([row.primary_key[0][1] for row in rows])
    assert pages == [[0, 1], [2, 3], [4]]


def test_batches_have_a_result_per_row(client, table):
    ignore = ots.Condition(ots.RowExistenceExpectation.IGNORE)
    items = [ots.PutRowItem(ots.Row([("gid", number), ("uid", "a")], [("c", number)]), ignore) for number in range(3)]
    request = ots.BatchWriteRowRequest()
    request.add(ots.TableInBatchWriteRowItem(table, items))
    assert client.batch_write_row(request).is_all_succeed()
    request = ots.BatchGetRowRequest()
    keys = [[("gid", number), ("uid", "a")] for number in (2, 9, 0)]
    request.add(ots.TableInBatchGetRowItem(table, keys, max_version=1))
    rows = [result.row for result in client.batch_get_row(request).get_result_by_table(table)]
    assert [row and columns_of(row) for row in rows] == [{"c": 2}, None, {"c": 0}]


def test_errors_have_code_and_message(client):
    with pytest.raises(ots.OTSServiceError) as refused:
        client.describe_table("no_such_table")
    assert refused.value.code == "OTSObjectNotExist"
    assert refused.value.message == "Requested table does not exist."
    assert refused.value.get_request_id()


@pytest.fixture
def searched(client, table):
    """A table with a search index and three rows."""
    field = ots.FieldSchema
    fields = [
        field("city", ots.FieldType.KEYWORD, index=True, enable_sort_and_agg=True),
        field("count", ots.FieldType.LONG, index=True, enable_sort_and_agg=True),
        field("text", ots.FieldType.TEXT, index=True),
    ]
    client.update_table(table, ots.TableOptions(max_version=1))
    client.create_search_index(table, "found", ots.SearchIndexMeta(fields))
    for number, (city, count, text) in enumerate([("Oslo", 1, "the quick fox"), ("Oslo", 2, "a dog"), ("Rome", 4, "the end")]):
        put(client, table, [("gid", number), ("uid", "a")], [("city", city), ("count", count), ("text", text)])
    yield table
    client.delete_search_index(table, "found")


def search(client, table, query, columns=ots.ColumnReturnType.NONE, **more):
    return client.search(table, "found", ots.SearchQuery(query, get_total_count=True, **more), ots.ColumnsToGet([], columns))


def found(response):
    return [key[0][1] for key, _ in response.rows]


def test_search_indexes_are_listed_and_described(client, searched):
    assert (searched, "found") in client.list_search_index()
    meta, state = client.describe_search_index(searched, "found")
    assert [field.field_name for field in meta.fields] == ["city", "count", "text"]
    assert state.sync_phase == ots.SyncPhase.INCR


def test_rows_are_found_ordered_and_summed_up(client, searched):
    assert found(search(client, searched, ots.TermQuery("city", "Oslo"))) == [0, 1]
    assert found(search(client, searched, ots.RangeQuery("count", 2, 4, True, True))) == [1, 2]
    assert found(search(client, searched, ots.MatchQuery("text", "the"))) == [0, 2]
    both = ots.BoolQuery(must_queries=[ots.TermQuery("city", "Oslo")], must_not_queries=[ots.TermQuery("count", 1)])
    assert found(search(client, searched, both)) == [1]
    newest = ots.Sort(sorters=[ots.FieldSort("count", sort_order=ots.SortOrder.DESC)])
    first = search(client, searched, ots.MatchAllQuery(), sort=newest, limit=2)
    assert (found(first), first.total_count, first.is_all_succeed) == ([2, 1], 3, True)
    second = search(client, searched, ots.MatchAllQuery(), next_token=first.next_token, limit=2)
    assert found(second) == [0]
    sums = search(client, searched, ots.MatchAllQuery(), limit=0, aggs=[ots.Sum("count", name="sum")],
                  group_bys=[ots.GroupByField("city", name="city")])
    assert sums.agg_results[0].value == 7
    assert [(item.key, item.row_count) for item in sums.group_by_results[0].items] == [("Oslo", 2), ("Rome", 1)]


def test_a_search_index_is_scanned(client, searched):
    session = client.compute_splits(searched, "found").session_id
    query = ots.ScanQuery(ots.MatchAllQuery(), limit=2, next_token=None, current_parallel_id=0, max_parallel=1, alive_time=30)
    pages = []
    while True:
        page = client.parallel_scan(searched, "found", query, session, columns_to_get=ots.ColumnsToGet(return_type=ots.ColumnReturnType.ALL_FROM_INDEX))
        pages.append([key[0][1] for key, _ in page.rows])
        if not page.next_token:
            break
        query.next_token = page.next_token
    assert pages == [[0, 1], [2]]


def test_sql_selects_from_a_table_with_a_mapping(client, table):
    client.exe_sql_query(f"create table {table} (gid bigint(20), uid varchar(1024), age bigint, grade double, primary key(gid, uid))")
    put(client, table, KEY, [("age", 30), ("grade", 1.5)])
    rows, consumed, _ = client.exe_sql_query(f"select gid, age, sum(grade) from {table} where age > 10 group by age")
    assert [row.attribute_columns for row in rows] == [[("gid", 1), ("age", 30), ("sum(grade)", 1.5)]]
    assert consumed[0][0] == table
    described, _, _ = client.exe_sql_query(f"desc {table}")
    assert described[0].attribute_columns[:2] == [("Field", "gid"), ("Type", "bigint(20)")]


def test_sql_writes_rows(client, table):
    client.exe_sql_query(f"create table {table} (gid bigint(20), uid varchar(1024), age bigint(20), primary key(gid, uid))")
    client.exe_sql_query(f"insert into {table} values (1, 'a', 10), (1, 'b', 20)")
    client.exe_sql_query(f"delete from {table} where gid = 1 and uid = 'b'")
    rows, _, _ = client.exe_sql_query(f"select uid, age from {table}")
    assert [dict(row.attribute_columns) for row in rows] == [{"uid": "a", "age": 10}]


def test_a_transaction_commits_its_writes_together(client, table):
    transaction = client.start_local_transaction(table, [("gid", 1)])
    client.put_row(table, ots.Row(KEY, [("c", 1)]), ots.Condition("IGNORE"), transaction_id=transaction)
    assert client.get_row(table, KEY, max_version=1)[1] is None
    assert columns_of(client.get_row(table, KEY, max_version=1, transaction_id=transaction)[1]) == {"c": 1}
    client.commit_transaction(transaction)
    assert columns_of(client.get_row(table, KEY, max_version=1)[1]) == {"c": 1}


def test_rows_are_read_by_an_index(client):
    name = "t" + uuid.uuid4().hex
    meta = ots.TableMeta(name, [("gid", "INTEGER"), ("uid", "STRING")], [("city", "STRING")])
    client.create_table(meta, ots.TableOptions(), ots.ReservedThroughput(ots.CapacityUnit(0, 0)))
    client.create_secondary_index(name, ots.SecondaryIndexMeta(f"{name}_by", ["city"], []), True)
    put(client, name, KEY, [("city", "Rome"), ("other", "x")])
    _, row, _ = client.get_row(f"{name}_by", [("city", "Rome"), *KEY], max_version=1)
    assert row.primary_key == [("city", "Rome"), *KEY]
    client.delete_secondary_index(name, f"{name}_by")
    client.delete_table(name)


def test_the_service_numbers_rows(client):
    name = "t" + uuid.uuid4().hex
    meta = ots.TableMeta(name, [("uid", "STRING"), ("n", "INTEGER", ots.PK_AUTO_INCR)])
    client.create_table(meta, ots.TableOptions(), ots.ReservedThroughput(ots.CapacityUnit(0, 0)))
    row = ots.Row([("uid", "a"), ("n", ots.PK_AUTO_INCR)], [("c", 1)])
    numbers = [client.put_row(name, row, ots.Condition("IGNORE"), ots.ReturnType.RT_PK)[1].primary_key[1][1] for _ in range(2)]
    assert 0 < numbers[0] < numbers[1]
    client.delete_table(name)
