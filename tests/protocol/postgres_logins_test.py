"""A server whose PostgreSQL is reached with TLS and a password, as libpq has them. docs/scale.md."""

import os
import subprocess
import tempfile
import unittest

import boto3_clients
from postgres_cluster import PostgresCluster
from server import Server, program

PASSWORD = "open sesame"


class PostgresLoginsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = PostgresCluster()
        cls.address, cls.certificate = cls.cluster.listen("visitor", PASSWORD)
        cls.cluster.crash()
        cls.cluster.start()

    @classmethod
    def tearDownClass(cls):
        cls.cluster.__exit__()

    def url(self, **parameters):
        return f"postgresql://visitor@{self.address}/dinette?" + "&".join(f"{name}={value}" for name, value in parameters.items())

    def verified(self):
        return self.url(sslmode="verify-full", sslrootcert=self.certificate)

    def start(self, **variables):
        return Server("--store", self.verified(), env={**os.environ, **variables})

    def refused(self, url, **variables):
        """Returns what a server says that cannot start."""
        ended = subprocess.run([program(), "--port", "0", "--store", url], capture_output=True, text=True,
                               env={**os.environ, **variables})
        self.assertEqual(ended.returncode, 1, ended.stderr)
        return ended.stderr

    def works(self, server):
        client = boto3_clients.client(server.endpoint)
        boto3_clients.create_table(client)
        self.assertEqual(client.list_tables()["TableNames"], ["Music"])
        client.delete_table(TableName="Music")

    def test_a_password_in_the_environment(self):
        with self.start(PGPASSWORD=PASSWORD) as server:
            self.works(server)
            encrypted = self.cluster.sql("select bool_and(ssl) from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'visitor'")
            self.assertEqual(encrypted.strip(), "t")

    def test_a_password_file(self):
        with tempfile.NamedTemporaryFile("w") as file:  # only its owner may read it
            file.write(f"{self.address}:*:dinette:visitor:{PASSWORD}\n")
            file.flush()
            with self.start(PGPASSFILE=file.name) as server:
                self.works(server)

    def test_a_wrong_password_or_none(self):
        self.assertIn('password authentication failed for user "visitor"', self.refused(self.verified(), PGPASSWORD="wrong"))
        self.assertIn("~/.pgpass", self.refused(self.verified(), PGPASSFILE="/nonexistent"))

    def test_a_certificate_that_no_authority_of_the_client_has_signed(self):
        with tempfile.NamedTemporaryFile("w") as other:
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=other",
                            "-keyout", os.devnull, "-out", other.name], check=True, capture_output=True)
            self.assertIn("certificate verify failed",
                          self.refused(self.url(sslmode="verify-full", sslrootcert=other.name), PGPASSWORD=PASSWORD))


if __name__ == "__main__":
    unittest.main()
