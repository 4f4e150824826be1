// Tables, rows, batches, ranges, indexes, transactions, streams and searches by the vendor's client for Go. The newest
// version that Go modules have is 4.1.3: it has no SQL, no atomic batches, no aggregations and no parallel scans.
package clients

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/aliyun/aliyun-tablestore-go-sdk/tablestore"
	"github.com/aliyun/aliyun-tablestore-go-sdk/tablestore/search"
)

type rows struct {
	t      *testing.T
	client *tablestore.TableStoreClient
	table  string
}

// A table with the key `k` (String), `n` (Integer) and the defined column `d` (Integer).
func newRows(t *testing.T, table string, change ...func(*tablestore.CreateTableRequest)) rows {
	t.Helper()
	r := rows{t, tablestore.NewClient(endpoint, instance, key, secret), table}
	meta := &tablestore.TableMeta{TableName: table}
	meta.AddPrimaryKeyColumn("k", tablestore.PrimaryKeyType_STRING)
	meta.AddPrimaryKeyColumn("n", tablestore.PrimaryKeyType_INTEGER)
	meta.AddDefinedColumn("d", tablestore.DefinedColumn_INTEGER)
	request := &tablestore.CreateTableRequest{
		TableMeta:          meta,
		TableOption:        &tablestore.TableOption{TimeToAlive: -1, MaxVersion: 1},
		ReservedThroughput: &tablestore.ReservedThroughput{},
	}
	for _, one := range change {
		one(request)
	}
	_, err := r.client.CreateTable(request)
	check(t, err)
	return r
}

func keyOf(k string, n int64) *tablestore.PrimaryKey {
	key := &tablestore.PrimaryKey{}
	key.AddPrimaryKeyColumn("k", k)
	key.AddPrimaryKeyColumn("n", n)
	return key
}

func least(names ...string) *tablestore.PrimaryKey {
	key := &tablestore.PrimaryKey{}
	for _, name := range names {
		key.AddPrimaryKeyColumnWithMinValue(name)
	}
	return key
}

func greatest(names ...string) *tablestore.PrimaryKey {
	key := &tablestore.PrimaryKey{}
	for _, name := range names {
		key.AddPrimaryKeyColumnWithMaxValue(name)
	}
	return key
}

// `a,1 d=5 s=x`; nothing for no row.
func shown(key *tablestore.PrimaryKey, columns []*tablestore.AttributeColumn) string {
	var parts []string
	for _, column := range key.PrimaryKeys {
		parts = append(parts, fmt.Sprint(column.Value))
	}
	text := strings.Join(parts, ",")
	for _, column := range columns {
		text += fmt.Sprintf(" %s=%v", column.ColumnName, column.Value)
	}
	return text
}

func (r rows) change(k string, n int64, columns map[string]any) *tablestore.PutRowChange {
	change := &tablestore.PutRowChange{TableName: r.table, PrimaryKey: keyOf(k, n)}
	for name, value := range columns {
		change.AddColumn(name, value)
	}
	change.SetCondition(tablestore.RowExistenceExpectation_IGNORE)
	return change
}

func (r rows) put(k string, n int64, columns map[string]any) {
	r.t.Helper()
	_, err := r.client.PutRow(&tablestore.PutRowRequest{PutRowChange: r.change(k, n, columns)})
	check(r.t, err)
}

func (r rows) get(k string, n int64, transaction *string) string {
	r.t.Helper()
	response, err := r.client.GetRow(&tablestore.GetRowRequest{SingleRowQueryCriteria: &tablestore.SingleRowQueryCriteria{
		TableName: r.table, PrimaryKey: keyOf(k, n), MaxVersion: 1, TransactionId: transaction}})
	check(r.t, err)
	return shown(&response.PrimaryKey, response.Columns)
}

// All rows between two bounds, with the pages that they come in.
func (r rows) scan(criteria tablestore.RangeRowQueryCriteria) (found []string, pages int) {
	r.t.Helper()
	criteria.MaxVersion = 1
	for criteria.StartPrimaryKey != nil {
		response, err := r.client.GetRange(&tablestore.GetRangeRequest{RangeRowQueryCriteria: &criteria})
		check(r.t, err)
		for _, row := range response.Rows {
			found = append(found, shown(row.PrimaryKey, row.Columns))
		}
		criteria.StartPrimaryKey = response.NextStartPrimaryKey
		pages++
	}
	return found, pages
}

func same(t *testing.T, got, wanted any) {
	t.Helper()
	if !reflect.DeepEqual(got, wanted) {
		t.Fatalf("%v, not %v", got, wanted)
	}
}

func refused(t *testing.T, err error, code, message string) {
	t.Helper()
	var refusal *tablestore.OtsError
	if !errors.As(err, &refusal) || refusal.Code != code || refusal.Message != message || refusal.RequestId == "" {
		t.Fatalf("%#v, not %s: %s", err, code, message)
	}
}

func TestTablesAreDescribedAndChanged(t *testing.T) {
	r := newRows(t, "go_tables")
	described, err := r.client.DescribeTable(&tablestore.DescribeTableRequest{TableName: r.table})
	check(t, err)
	same(t, len(described.TableMeta.SchemaEntry), 2)
	same(t, described.TableOption.MaxVersion, 1)
	updated, err := r.client.UpdateTable(&tablestore.UpdateTableRequest{
		TableName: r.table, TableOption: &tablestore.TableOption{TimeToAlive: -1, MaxVersion: 5}})
	check(t, err)
	same(t, updated.TableOption.MaxVersion, 5)
	listed, err := r.client.ListTable()
	check(t, err)
	same(t, strings.Contains(strings.Join(listed.TableNames, " "), r.table), true)
	splits, err := r.client.ComputeSplitPointsBySize(
		&tablestore.ComputeSplitPointsBySizeRequest{TableName: r.table, SplitSize: 1})
	check(t, err)
	same(t, len(splits.Splits), 1)
	_, err = r.client.DeleteTable(&tablestore.DeleteTableRequest{TableName: r.table})
	check(t, err)
	_, err = r.client.DescribeTable(&tablestore.DescribeTableRequest{TableName: r.table})
	refused(t, err, "OTSObjectNotExist", "Requested table does not exist.")
}

func TestRowsAreWrittenReadChangedAndDeleted(t *testing.T) {
	r := newRows(t, "go_rows", func(request *tablestore.CreateTableRequest) { request.TableOption.MaxVersion = 3 })
	r.put("a", 1, map[string]any{"i": int64(5), "f": 1.5, "b": true, "s": "x", "y": []byte{0, 255}})
	same(t, r.get("a", 1, nil), "a,1 b=true f=1.5 i=5 s=x y=[0 255]")
	same(t, r.get("a", 2, nil), "")

	change := &tablestore.UpdateRowChange{TableName: r.table, PrimaryKey: keyOf("a", 1)}
	change.PutColumn("s", "y")
	change.DeleteColumn("f")
	change.IncrementColumn("i", 10)
	change.SetReturnIncrementValue()
	change.AppendIncrementColumnToReturn("i")
	change.SetCondition(tablestore.RowExistenceExpectation_EXPECT_EXIST)
	isX := tablestore.NewSingleColumnCondition("s", tablestore.CT_EQUAL, "x")
	isX.LatestVersionOnly = true // without it any version may be "x"
	change.SetColumnCondition(isX)
	updated, err := r.client.UpdateRow(&tablestore.UpdateRowRequest{UpdateRowChange: change})
	check(t, err)
	same(t, updated.Columns[0].Value, int64(15))
	same(t, r.get("a", 1, nil), "a,1 b=true i=15 s=y y=[0 255]")
	_, err = r.client.UpdateRow(&tablestore.UpdateRowRequest{UpdateRowChange: change})
	refused(t, err, "OTSConditionCheckFail", "Condition check failed.")

	deletion := &tablestore.DeleteRowChange{TableName: r.table, PrimaryKey: keyOf("a", 1)}
	deletion.SetCondition(tablestore.RowExistenceExpectation_EXPECT_EXIST)
	_, err = r.client.DeleteRow(&tablestore.DeleteRowRequest{DeleteRowChange: deletion})
	check(t, err)
	same(t, r.get("a", 1, nil), "")
	_, err = r.client.PutRow(&tablestore.PutRowRequest{PutRowChange: r.change("a", 1, map[string]any{"a-b": int64(1)})})
	refused(t, err, "OTSParameterInvalid", "Invalid column name: 'a-b'.")
}

func TestKeysAreNumbered(t *testing.T) {
	r := newRows(t, "go_numbered", func(request *tablestore.CreateTableRequest) {
		request.TableMeta.SchemaEntry = request.TableMeta.SchemaEntry[:1]
		request.TableMeta.AddPrimaryKeyColumnOption("n", tablestore.PrimaryKeyType_INTEGER, tablestore.AUTO_INCREMENT)
	})
	var numbers []int64
	for range 2 {
		change := r.change("a", 0, nil)
		change.PrimaryKey = &tablestore.PrimaryKey{}
		change.PrimaryKey.AddPrimaryKeyColumn("k", "a")
		change.PrimaryKey.AddPrimaryKeyColumnWithAutoIncrement("n")
		change.SetReturnPk()
		written, err := r.client.PutRow(&tablestore.PutRowRequest{PutRowChange: change})
		check(t, err)
		numbers = append(numbers, written.PrimaryKey.PrimaryKeys[1].Value.(int64))
	}
	same(t, numbers[0] < numbers[1], true)
	same(t, r.get("a", numbers[0], nil), fmt.Sprintf("a,%d", numbers[0]))
}

func TestBatchesFailRowByRow(t *testing.T) {
	r := newRows(t, "go_batches")
	batch := &tablestore.BatchWriteRowRequest{}
	batch.AddRowChange(r.change("a", 1, map[string]any{"d": int64(1)}))
	failing := r.change("a", 2, map[string]any{"d": int64(2)})
	failing.SetCondition(tablestore.RowExistenceExpectation_EXPECT_EXIST)
	batch.AddRowChange(failing)
	batch.AddRowChange(r.change("a", 3, map[string]any{"d": int64(3)}))
	written, err := r.client.BatchWriteRow(batch)
	check(t, err)
	results := written.TableToRowsResult[r.table]
	same(t, []bool{results[0].IsSucceed, results[1].IsSucceed, results[2].IsSucceed}, []bool{true, false, true})
	same(t, results[1].Error.Code, "OTSConditionCheckFail")
	criteria := &tablestore.MultiRowQueryCriteria{TableName: r.table, MaxVersion: 1}
	for n := range int64(4) {
		criteria.AddRow(keyOf("a", n))
	}
	read, err := r.client.BatchGetRow(
		&tablestore.BatchGetRowRequest{MultiRowQueryCriteria: []*tablestore.MultiRowQueryCriteria{criteria}})
	check(t, err)
	var found []string
	for _, row := range read.TableToRowsResult[r.table] {
		same(t, row.IsSucceed, true)
		found = append(found, shown(&row.PrimaryKey, row.Columns))
	}
	same(t, found, []string{"", "a,1 d=1", "", "a,3 d=3"})
}

func TestRangesArePagedAndFiltered(t *testing.T) {
	r := newRows(t, "go_ranges")
	for n := range int64(5) {
		r.put("a", n, map[string]any{"d": n, "s": fmt.Sprintf("t%d", n)})
	}
	criteria := tablestore.RangeRowQueryCriteria{
		TableName: r.table, StartPrimaryKey: least("k", "n"), EndPrimaryKey: greatest("k", "n"),
		ColumnsToGet: []string{"d"}, Limit: 2}
	found, pages := r.scan(criteria)
	same(t, found, []string{"a,0 d=0", "a,1 d=1", "a,2 d=2", "a,3 d=3", "a,4 d=4"})
	same(t, pages, 3)
	backward := criteria
	backward.Direction = tablestore.BACKWARD
	backward.StartPrimaryKey, backward.EndPrimaryKey = keyOf("a", 3), keyOf("a", 1)
	found, _ = r.scan(backward)
	same(t, found, []string{"a,3 d=3", "a,2 d=2"})

	filter := tablestore.NewCompositeColumnCondition(tablestore.LO_AND)
	filter.AddFilter(tablestore.NewSingleColumnCondition("d", tablestore.CT_GREATER_THAN, int64(0)))
	rule := tablestore.NewValueTransferRule("t([0-9]+)", tablestore.Variant_INTEGER)
	filter.AddFilter(tablestore.NewSingleColumnValueRegexFilter("s", tablestore.CT_LESS_EQUAL, rule, int64(2)))
	criteria.ColumnsToGet, criteria.Filter = nil, filter
	found, _ = r.scan(criteria)
	same(t, found, []string{"a,1 d=1 s=t1", "a,2 d=2 s=t2"})
	criteria.Filter = &tablestore.PaginationFilter{Offset: 1, Limit: 1}
	found, _ = r.scan(criteria)
	same(t, found[0], "a,0 s=t0")

	turned := criteria
	turned.StartPrimaryKey, turned.EndPrimaryKey, turned.MaxVersion = keyOf("a", 1), keyOf("a", 0), 1
	_, err := r.client.GetRange(&tablestore.GetRangeRequest{RangeRowQueryCriteria: &turned})
	refused(t, err, "OTSParameterInvalid", "Begin key must less than end key in FORWARD")
}

func TestIndexesHaveTheirRows(t *testing.T) {
	r := newRows(t, "go_indexed")
	r.put("a", 1, map[string]any{"d": int64(9), "s": "x"})
	index := &tablestore.IndexMeta{IndexName: "go_by_d", IndexType: tablestore.IT_GLOBAL_INDEX}
	index.AddPrimaryKeyColumn("d")
	_, err := r.client.CreateIndex(
		&tablestore.CreateIndexRequest{MainTableName: r.table, IndexMeta: index, IncludeBaseData: true})
	check(t, err)
	r.put("b", 1, map[string]any{"d": int64(3)})
	by_d := r
	by_d.table = index.IndexName
	found, _ := by_d.scan(tablestore.RangeRowQueryCriteria{TableName: by_d.table,
		StartPrimaryKey: least("d", "k", "n"), EndPrimaryKey: greatest("d", "k", "n")})
	same(t, found, []string{"3,b,1", "9,a,1"})
	described, err := r.client.DescribeTable(&tablestore.DescribeTableRequest{TableName: r.table})
	check(t, err)
	same(t, described.IndexMetas[0].IndexName, index.IndexName)
	_, err = r.client.DeleteIndex(&tablestore.DeleteIndexRequest{MainTableName: r.table, IndexName: index.IndexName})
	check(t, err)
}

func TestTransactionsAreCommittedOrAborted(t *testing.T) {
	r := newRows(t, "go_transactions")
	begin := func() *string {
		partition := &tablestore.PrimaryKey{}
		partition.AddPrimaryKeyColumn("k", "a")
		started, err := r.client.StartLocalTransaction(
			&tablestore.StartLocalTransactionRequest{TableName: r.table, PrimaryKey: partition})
		check(t, err)
		return started.TransactionId
	}
	put := func(id *string) {
		change := r.change("a", 1, map[string]any{"d": int64(1)})
		change.TransactionId = id
		_, err := r.client.PutRow(&tablestore.PutRowRequest{PutRowChange: change})
		check(t, err)
	}
	id := begin()
	put(id)
	same(t, r.get("a", 1, id), "a,1 d=1")
	same(t, r.get("a", 1, nil), "")
	_, err := r.client.AbortTransaction(&tablestore.AbortTransactionRequest{TransactionId: id})
	check(t, err)
	id = begin()
	put(id)
	_, err = r.client.CommitTransaction(&tablestore.CommitTransactionRequest{TransactionId: id})
	check(t, err)
	same(t, r.get("a", 1, nil), "a,1 d=1")
	_, err = r.client.CommitTransaction(&tablestore.CommitTransactionRequest{TransactionId: id})
	refused(t, err, "OTSSessionNotExist", "Session not exist or may be timeout.")
}

func TestStreamsAreReadFromTheirBeginningOrATime(t *testing.T) {
	r := newRows(t, "go_streamed", func(request *tablestore.CreateTableRequest) {
		request.StreamSpec = &tablestore.StreamSpecification{EnableStream: true, ExpirationTime: 24}
	})
	r.put("a", 1, map[string]any{"d": int64(1)})
	listed, err := r.client.ListStream(&tablestore.ListStreamRequest{TableName: &r.table})
	check(t, err)
	stream := listed.Streams[0].Id
	described, err := r.client.DescribeStream(&tablestore.DescribeStreamRequest{StreamId: stream})
	check(t, err)
	read := func(microseconds *int64) []*tablestore.StreamRecord {
		iterator, err := r.client.GetShardIterator(&tablestore.GetShardIteratorRequest{
			StreamId: stream, ShardId: described.Shards[0].SelfShard, Timestamp: microseconds})
		check(t, err)
		records, err := r.client.GetStreamRecord(
			&tablestore.GetStreamRecordRequest{ShardIterator: iterator.ShardIterator})
		check(t, err)
		return records.Records
	}
	first := read(nil)
	same(t, len(first), 1)
	same(t, first[0].Type, tablestore.AT_Put)
	same(t, *first[0].Columns[0].Name, "d")
	r.put("a", 2, map[string]any{"d": int64(2)})
	same(t, len(read(nil)), 2)
	// Times are microseconds, as those of records are.
	at := read(nil)[1].Info.Timestamp
	records := read(&at)
	same(t, shown(records[len(records)-1].PrimaryKey, nil), "a,2")
	after := at + 1
	same(t, len(read(&after)), 0)
}

func TestSearchesFindRows(t *testing.T) {
	r := newRows(t, "go_searched")
	enabled := true
	field := func(name string, kind tablestore.FieldType) *tablestore.FieldSchema {
		return &tablestore.FieldSchema{FieldName: &name, FieldType: kind, Index: &enabled, EnableSortAndAgg: &enabled}
	}
	_, err := r.client.CreateSearchIndex(&tablestore.CreateSearchIndexRequest{TableName: r.table, IndexName: "go_search",
		IndexSchema: &tablestore.IndexSchema{FieldSchemas: []*tablestore.FieldSchema{
			field("d", tablestore.FieldType_LONG), field("s", tablestore.FieldType_KEYWORD)}}})
	check(t, err)
	for n := range int64(5) {
		r.put("a", n, map[string]any{"d": n, "s": []string{"x", "y"}[n%2]})
	}
	query := search.NewSearchQuery()
	query.SetQuery(&search.TermQuery{FieldName: "s", Term: "x"})
	query.SetSort(&search.Sort{Sorters: []search.Sorter{
		&search.FieldSort{FieldName: "d", Order: search.SortOrder_DESC.Enum()}}})
	query.SetLimit(2)
	query.SetGetTotalCount(true)
	request := &tablestore.SearchRequest{}
	request.SetTableName(r.table).SetIndexName("go_search").SetSearchQuery(query)
	request.SetColumnsToGet(&tablestore.ColumnsToGet{ReturnAll: true})
	var found []string
	for {
		response, err := r.client.Search(request)
		check(t, err)
		same(t, response.TotalCount, int64(3))
		for _, row := range response.Rows {
			found = append(found, shown(row.PrimaryKey, row.Columns))
		}
		if len(response.NextToken) == 0 {
			break
		}
		query.SetToken(response.NextToken)
	}
	same(t, found, []string{"a,4 d=4 s=x", "a,2 d=2 s=x", "a,0 d=0 s=x"})
	listed, err := r.client.ListSearchIndex(&tablestore.ListSearchIndexRequest{TableName: r.table})
	check(t, err)
	same(t, listed.IndexInfo[0].IndexName, "go_search")
	_, err = r.client.DeleteSearchIndex(
		&tablestore.DeleteSearchIndexRequest{TableName: r.table, IndexName: "go_search"})
	check(t, err)
}
