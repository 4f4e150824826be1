// The vendor's client of Tablestore for Go, as it reads tunnels. The environment leads it to the server.
package clients

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/aliyun/aliyun-tablestore-go-sdk/tablestore"
	"github.com/aliyun/aliyun-tablestore-go-sdk/tunnel"
	"go.uber.org/zap"
)

const instance, key, secret, name, tunnelName = "inst", "ak", "sk", "tunnelled", "changes"

const patience = time.Minute

var endpoint = os.Getenv("AWS_ENDPOINT_URL")

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func create(t *testing.T, client *tablestore.TableStoreClient) {
	t.Helper()
	meta := &tablestore.TableMeta{TableName: name}
	meta.AddPrimaryKeyColumn("id", tablestore.PrimaryKeyType_INTEGER)
	_, err := client.CreateTable(&tablestore.CreateTableRequest{
		TableMeta:          meta,
		TableOption:        &tablestore.TableOption{TimeToAlive: -1, MaxVersion: 1},
		ReservedThroughput: &tablestore.ReservedThroughput{},
	})
	check(t, err)
}

func put(t *testing.T, client *tablestore.TableStoreClient, id int64) {
	t.Helper()
	change := &tablestore.PutRowChange{TableName: name, PrimaryKey: &tablestore.PrimaryKey{}}
	change.PrimaryKey.AddPrimaryKeyColumn("id", id)
	change.AddColumn("n", id)
	change.SetCondition(tablestore.RowExistenceExpectation_IGNORE)
	_, err := client.PutRow(&tablestore.PutRowRequest{PutRowChange: change})
	check(t, err)
}

// A record that a worker has read: its key, and whether it is of the stream.
type seen struct {
	id       int64
	isStream bool
}

func work(t *testing.T, client tunnel.TunnelClient, id string) (<-chan seen, tunnel.TunnelWorker) {
	t.Helper()
	records := make(chan seen, 100)
	worker, err := client.NewTunnelWorker(id, &tunnel.TunnelWorkerConfig{
		HeartbeatInterval: time.Second,
		ProcessorFactory: &tunnel.SimpleProcessFactory{
			Logger:     zap.NewNop(),
			CpInterval: 100 * time.Millisecond,
			ProcessFunc: func(_ *tunnel.ChannelContext, read []*tunnel.Record) error {
				for _, record := range read {
					records <- seen{record.PrimaryKey.PrimaryKeys[0].Value.(int64), record.SequenceInfo != nil}
				}
				return nil
			},
			ShutdownFunc: func(*tunnel.ChannelContext) {},
		},
	})
	check(t, err)
	go worker.ConnectAndWorking()
	return records, worker
}

func expect(t *testing.T, records <-chan seen, wanted ...seen) {
	t.Helper()
	var read []seen
	for range wanted {
		select {
		case one := <-records:
			read = append(read, one)
		case <-time.After(patience):
			t.Fatalf("read %v, not %v", read, wanted)
		}
	}
	if !slices.Equal(read, wanted) {
		t.Fatalf("read %v, not %v", read, wanted)
	}
}

func TestAWorkerReadsRowsAndThenChanges(t *testing.T) {
	rows := tablestore.NewClient(endpoint, instance, key, secret)
	client := tunnel.NewTunnelClient(endpoint, instance, key, secret)
	create(t, rows)
	put(t, rows, 1)
	put(t, rows, 2)
	created, err := client.CreateTunnel(&tunnel.CreateTunnelRequest{
		TableName: name, TunnelName: tunnelName, Type: tunnel.TunnelTypeBaseStream})
	check(t, err)
	records, worker := work(t, client, created.TunnelId)
	expect(t, records, seen{1, false}, seen{2, false})
	put(t, rows, 3)
	expect(t, records, seen{3, true})
	worker.Shutdown()

	described, err := client.DescribeTunnel(&tunnel.DescribeTunnelRequest{TableName: name, TunnelName: tunnelName})
	check(t, err)
	if described.Tunnel.Stage != "ProcessStream" || len(described.Channels) != 2 {
		t.Fatalf("%+v", described)
	}
	listed, err := client.ListTunnel(&tunnel.ListTunnelRequest{TableName: name})
	check(t, err)
	if len(listed.Tunnels) != 1 || listed.Tunnels[0].TunnelId != created.TunnelId {
		t.Fatalf("%+v", listed)
	}
	_, err = client.DeleteTunnel(&tunnel.DeleteTunnelRequest{TableName: name, TunnelName: tunnelName})
	check(t, err)
}
