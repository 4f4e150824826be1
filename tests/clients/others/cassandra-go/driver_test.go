// The newest gocql: with and without TLS, by password and by signature.
package clients

import (
	"crypto/tls"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sigv4-auth-cassandra-gocql-driver-plugin/sigv4"
	"github.com/gocql/gocql"
)

func connect(t *testing.T, portVariable string, authenticator gocql.Authenticator) (*gocql.Session, error) {
	t.Helper()
	port, err := strconv.Atoi(os.Getenv(portVariable))
	if err != nil {
		t.Fatal(err)
	}
	cluster := gocql.NewCluster("127.0.0.1")
	cluster.Port = port
	cluster.DisableInitialHostLookup = true
	cluster.Consistency = gocql.LocalQuorum
	cluster.Authenticator = authenticator
	cluster.Timeout = 30 * time.Second
	cluster.ConnectTimeout = 30 * time.Second
	if portVariable == "CQL_TLS_PORT" {
		cluster.SslOpts = &gocql.SslOptions{Config: &tls.Config{InsecureSkipVerify: true}}
	}
	return cluster.CreateSession()
}

func password() gocql.Authenticator {
	return gocql.PasswordAuthenticator{
		Username:              os.Getenv("CQL_USER"),
		Password:              os.Getenv("CQL_PASSWORD"),
		AllowedAuthenticators: []string{"org.apache.cassandra.auth.PasswordAuthenticator"},
	}
}

func signature() gocql.Authenticator {
	authenticator := sigv4.NewAwsAuthenticator()
	authenticator.Region = "us-east-1"
	authenticator.AccessKeyId = os.Getenv("AWS_ACCESS_KEY_ID")
	authenticator.SecretAccessKey = os.Getenv("AWS_SECRET_ACCESS_KEY")
	return authenticator
}

func run(t *testing.T, session *gocql.Session, statement string, values ...any) {
	t.Helper()
	if err := session.Query(statement, values...).Exec(); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func TestRowsAreWrittenAndRead(t *testing.T) {
	logIns := map[string]func() gocql.Authenticator{"password": password, "signature": signature}
	for _, port := range []string{"CQL_PORT", "CQL_TLS_PORT"} {
		for name, authenticator := range logIns {
			t.Run(port+"/"+name, func(t *testing.T) {
				session, err := connect(t, port, authenticator())
				if err != nil {
					t.Fatal(err)
				}
				defer session.Close()
				keyspace := strings.ToLower(fmt.Sprintf("k%s_%s", port, name))
				run(t, session, "CREATE KEYSPACE "+keyspace+" WITH replication = {'class': 'SingleRegionStrategy'}")
				table := keyspace + ".t"
				run(t, session, "CREATE TABLE "+table+" (p text, c int, v map<text, int>, PRIMARY KEY (p, c))")
				for c := range 25 {
					run(t, session, "INSERT INTO "+table+" (p, c, v) VALUES (?, ?, ?)", "a", c, map[string]int{"n": c})
				}
				rows := session.Query("SELECT c, v FROM "+table+" WHERE p = ?", "a").PageSize(10).Iter()
				if rows.NumRows() != 10 {
					t.Errorf("the first page has %d rows", rows.NumRows())
				}
				var c, sum int
				var v map[string]int
				for rows.Scan(&c, &v) {
					sum += v["n"]
				}
				if err := rows.Close(); err != nil || sum != 300 {
					t.Errorf("the sum is %d, %v", sum, err)
				}
				batch := session.NewBatch(gocql.UnloggedBatch)
				batch.Query("INSERT INTO "+table+" (p, c) VALUES (?, ?)", "b", 1)
				batch.Query("INSERT INTO "+table+" (p, c) VALUES (?, ?)", "b", 2)
				if err := session.ExecuteBatch(batch); err != nil {
					t.Error(err)
				}
				applied, err := session.Query("INSERT INTO "+table+" (p, c) VALUES (?, ?) IF NOT EXISTS", "b", 1).
					MapScanCAS(map[string]any{})
				if err != nil || applied {
					t.Errorf("a row that exists was inserted: %v", err)
				}
				metadata, err := session.KeyspaceMetadata(keyspace)
				if err != nil || len(metadata.Tables["t"].PartitionKey) != 1 {
					t.Errorf("the metadata are %v, %v", metadata, err)
				}
			})
		}
	}
}

func TestAWrongPasswordIsRefused(t *testing.T) {
	authenticator := password().(gocql.PasswordAuthenticator)
	authenticator.Password = "wrong"
	session, err := connect(t, "CQL_PORT", authenticator)
	if err == nil {
		session.Close()
		t.Fatal("it was accepted")
	}
}
