"""The small S3 with boto3, in memory and in a folder, with signatures and without."""

import hashlib
import http.client
import pathlib
import signal
import socket
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.request

import boto3
from boto3.s3.transfer import TransferConfig
from boto3_clients import ONE_ATTEMPT, client, create_table
from botocore.config import Config
from botocore.exceptions import ClientError
from server import Server, program

PART = 5 * 1024 * 1024
CREDENTIALS = "[default]\naws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG+bPx\n"
RIGHT = {"key": "AKIDEXAMPLE", "secret": "wJalrXUtnFEMI/K7MDENG+bPx"}


# By default boto3 signs URLs as AWS did before 2014.
SIGNATURES_OF_TODAY = ONE_ATTEMPT.merge(Config(signature_version="s3v4"))


def s3_client(server, key="key", secret="secret"):
    return boto3.Session().client("s3", endpoint_url=server.endpoint, region_name="us-east-1", aws_access_key_id=key,
                                  aws_secret_access_key=secret, config=SIGNATURES_OF_TODAY)


def fetch(url, method="GET", data=None, **headers):
    """Returns status and body."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as reply:
            return reply.status, reply.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


class Objects(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.start()

    @classmethod
    def start(cls, *arguments, **keys):
        cls.server = Server(*arguments)
        cls.s3 = s3_client(cls.server, **keys)
        cls.s3.create_bucket(Bucket="bucket")

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()
        cls.server.log.close()
        cls.folder.cleanup()

    def code(self, call, **arguments):
        with self.assertRaises(ClientError) as failed:
            call(**arguments)
        return failed.exception.response["Error"]["Code"]

    def test_a_request_that_is_too_large_is_refused_in_the_words_of_s3(self):
        with socket.create_connection((self.server.host, self.server.port), timeout=60) as connection:
            connection.sendall(b"PUT /bucket/k HTTP/1.1\r\nHost: h\r\nContent-Length: 67108865\r\n\r\n")
            reply = http.client.HTTPResponse(connection)
            reply.begin()
            body = reply.read().decode()
        self.assertEqual((reply.status, reply.headers["Content-Type"]), (400, "application/xml"))
        self.assertIn("<Code>EntityTooLarge</Code>", body)
        self.assertIn("x-amz-request-id", reply.headers)

    def test_buckets(self):
        self.s3.create_bucket(Bucket="other-bucket", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
        self.assertIn("other-bucket", [bucket["Name"] for bucket in self.s3.list_buckets()["Buckets"]])
        self.s3.get_waiter("bucket_exists").wait(Bucket="other-bucket")
        self.s3.delete_bucket(Bucket="other-bucket")
        self.assertEqual(self.code(self.s3.head_bucket, Bucket="other-bucket"), "404")
        self.assertEqual(self.code(self.s3.delete_bucket, Bucket="other-bucket"), "NoSuchBucket")

    def test_an_object_with_an_awkward_key(self):
        key = "a b/../ü+&%2F?#"
        self.s3.put_object(Bucket="bucket", Key=key, Body=b"bytes", Metadata={"Owner": "me"}, ContentType="a/b")
        got = self.s3.get_object(Bucket="bucket", Key=key)
        self.assertEqual((got["Body"].read(), got["Metadata"], got["ContentType"]), (b"bytes", {"owner": "me"}, "a/b"))
        self.assertEqual(got["ETag"], f'"{hashlib.md5(b"bytes").hexdigest()}"')
        self.assertEqual([found["Key"] for found in self.s3.list_objects_v2(Bucket="bucket", Prefix="a b/")["Contents"]],
                         [key])
        self.s3.delete_objects(Bucket="bucket", Delete={"Objects": [{"Key": key}]})
        self.assertEqual(self.code(self.s3.get_object, Bucket="bucket", Key=key), "NoSuchKey")
        self.assertEqual(self.code(self.s3.head_object, Bucket="bucket", Key=key), "404")

    def test_a_large_object_in_parts(self):
        content = bytes(range(256)) * (2 * PART // 256) + b"end"
        with tempfile.TemporaryDirectory() as folder:
            source, target = pathlib.Path(folder, "source"), pathlib.Path(folder, "target")
            source.write_bytes(content)
            config = TransferConfig(multipart_threshold=PART, multipart_chunksize=PART)
            self.s3.upload_file(str(source), "bucket", "large", Config=config)
            self.s3.download_file("bucket", "large", str(target), Config=config)
            self.assertTrue(target.read_bytes() == content)
        self.assertRegex(self.s3.head_object(Bucket="bucket", Key="large")["ETag"], r'^"[0-9a-f]{32}-3"$')
        whole = self.s3.get_object(Bucket="bucket", Key="large")["Body"].read()  # in pieces, over one connection
        self.assertTrue(whole == content)
        self.assertEqual(self.s3.get_object(Bucket="bucket", Key="large", Range="bytes=-3")["Body"].read(), b"end")
        self.s3.copy({"Bucket": "bucket", "Key": "large"}, "bucket", "copied", Config=config)
        self.assertEqual(self.s3.head_object(Bucket="bucket", Key="copied")["ContentLength"], len(content))

    def test_pages(self):
        for number in range(5):
            self.s3.put_object(Bucket="bucket", Key=f"pages/{number}/x", Body=b"")
        pages = self.s3.get_paginator("list_objects_v2").paginate(Bucket="bucket", Prefix="pages/", Delimiter="/",
                                                                  PaginationConfig={"PageSize": 2})
        self.assertEqual([prefix["Prefix"] for page in pages for prefix in page["CommonPrefixes"]],
                         [f"pages/{number}/" for number in range(5)])
        older = self.s3.get_paginator("list_objects").paginate(Bucket="bucket", Prefix="pages/",
                                                               PaginationConfig={"PageSize": 2})
        self.assertEqual(len([found for page in older for found in page["Contents"]]), 5)

    def test_a_body_followed_by_its_checksum(self):
        for algorithm in ("CRC32", "SHA1", "SHA256"):
            self.s3.put_object(Bucket="bucket", Key="sum", Body=b"bytes", ChecksumAlgorithm=algorithm)
            got = self.s3.get_object(Bucket="bucket", Key="sum", ChecksumMode="ENABLED")
            self.assertEqual(got["Body"].read(), b"bytes")
            self.assertIn(f"Checksum{algorithm}", got)

    def test_a_presigned_url(self):
        url = self.s3.generate_presigned_url("put_object", Params={"Bucket": "bucket", "Key": "presigned"})
        self.assertEqual(fetch(url, "PUT", b"v")[0], 200)
        url = self.s3.generate_presigned_url("get_object", Params={"Bucket": "bucket", "Key": "presigned"})
        self.assertEqual(fetch(url), (200, b"v"))

    def test_a_presigned_url_replaces_headers_and_is_opened_in_a_sandbox(self):
        self.s3.put_object(Bucket="bucket", Key="page", Body=b"<script>1</script>")
        url = self.s3.generate_presigned_url(
            "get_object", Params={"Bucket": "bucket", "Key": "page", "ResponseContentType": "text/html"})
        with urllib.request.urlopen(url) as reply:
            self.assertEqual(reply.headers["Content-Type"], "text/html")
            self.assertEqual(reply.headers["Content-Security-Policy"], "sandbox")
            self.assertEqual(reply.headers["X-Content-Type-Options"], "nosniff")


class ObjectsInFolder(Objects):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.start("--s3", cls.folder.name)

    def test_files_are_objects_and_objects_files(self):
        bucket = pathlib.Path(self.folder.name, "bucket")
        self.s3.put_object(Bucket="bucket", Key="uploaded/file.txt", Body=b"from a client")
        self.assertEqual((bucket / "uploaded/file.txt").read_bytes(), b"from a client")
        (bucket / "copied.txt").write_bytes(b"by hand")
        self.assertEqual(self.s3.get_object(Bucket="bucket", Key="copied.txt")["Body"].read(), b"by hand")


class VerifiedSignatures(Objects):
    """With `--auth verify`, the same, and some refusals."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        file = pathlib.Path(cls.folder.name, "credentials")
        file.write_text(CREDENTIALS)
        cls.start("--auth", "verify", "--credentials", str(file), **RIGHT)

    def test_other_callers_are_refused(self):
        wrong = s3_client(self.server, key=RIGHT["key"], secret="wrong")
        self.assertEqual(self.code(wrong.list_buckets), "SignatureDoesNotMatch")
        self.assertEqual(self.code(wrong.get_object, Bucket="bucket", Key="k"), "SignatureDoesNotMatch")
        self.assertEqual(self.code(s3_client(self.server).list_buckets), "InvalidAccessKeyId")
        status, body = fetch(self.server.endpoint + "/bucket/k")
        self.assertEqual((status, b"<Code>AccessDenied</Code>" in body), (403, True))
        url = self.s3.generate_presigned_url("get_object", Params={"Bucket": "bucket", "Key": "presigned"})
        self.assertEqual(fetch(url.replace("presigned", "other"))[0], 403)


class SharedPort(unittest.TestCase):
    # Names by which clusters and scripts reach the server.
    def test_programs_are_served_by_every_service_whatever_the_host(self):
        with Server() as server:
            s3_client(server).create_bucket(Bucket="tfstate")
            for host in ("localhost:8000", "dinette:8000", "dinette.ns.svc.cluster.local:8000", "dinette.ns:8000",
                         "dinette.ns.svc:8000", "localhost.localstack.cloud:4566"):
                def status(method, path, service, data=None, **headers):
                    credential = f"key/20260131/us-east-1/{service}/aws4_request"
                    authorization = f"AWS4-HMAC-SHA256 Credential={credential}, SignedHeaders=host;x-amz-date, Signature=0"
                    connection = http.client.HTTPConnection("127.0.0.1", server.port)
                    connection.request(method, path, data, {"Host": host, "Authorization": authorization,
                                                            "X-Amz-Date": "20260131T000000Z", **headers})
                    answered = connection.getresponse().status
                    connection.close()
                    return answered
                target = {"X-Amz-Target": "DynamoDB_20120810.ListTables"}
                self.assertEqual((status("POST", "/", "dynamodb", b"{}", **target), status("PUT", "/tfstate/x", "s3", b"1"),
                                  status("GET", "/tfstate/x", "s3")), (200, 200, 200), host)

    def test_other_services_answer_as_before(self):
        with Server() as server:
            dynamodb = client(server.endpoint)
            create_table(dynamodb)
            self.assertEqual(dynamodb.list_tables()["TableNames"], ["Music"])
            self.assertEqual(fetch(server.endpoint + "/")[0], 200)
            self.assertIn(b"healthy", fetch(server.endpoint + "/")[1])
            self.assertEqual(fetch(server.endpoint + "/_dinette/clock")[0], 200)
            self.assertEqual(fetch(server.endpoint + "/_localstack/health")[0], 200)
            self.assertIn(b"NoSuchBucket", fetch(server.endpoint + "/nobucket/x")[1])

    def test_resets_of_worlds_leave_objects(self):
        with Server() as server:
            s3 = s3_client(server)
            s3.create_bucket(Bucket="bucket")
            self.assertEqual(fetch(server.endpoint + "/_dinette/reset", "POST", b"")[0], 200)
            s3.head_bucket(Bucket="bucket")

    def test_a_bucket_in_the_host(self):
        with Server() as server:
            s3_client(server).create_bucket(Bucket="bucket")
            url = f"{server.endpoint}/key"
            for host in ("bucket.s3.localhost", "bucket.localhost"):
                self.assertEqual(fetch(url, "PUT", host.encode(), Host=host)[0], 200)
                self.assertEqual(fetch(url, Host=host), (200, host.encode()))

    def test_a_web_page_of_another_origin_is_refused(self):
        with Server() as server:
            s3_client(server).create_bucket(Bucket="bucket")
            status, body = fetch(server.endpoint + "/bucket/key", "PUT", b"v", Origin="https://evil.example")
            self.assertEqual((status, b"AccessForbidden" in body), (403, True))

    def test_a_killed_server_leaves_nothing_half_written(self):
        with tempfile.TemporaryDirectory() as folder:
            server = Server("--data", folder)
            s3 = s3_client(server)
            s3.create_bucket(Bucket="bucket")
            s3.put_object(Bucket="bucket", Key="k", Body=b"v", ContentType="a/b")
            upload = s3.create_multipart_upload(Bucket="bucket", Key="half")["UploadId"]
            s3.upload_part(Bucket="bucket", Key="half", UploadId=upload, PartNumber=1, Body=b"half")
            server.stop(signal.SIGKILL)
            with Server("--data", folder) as again:
                s3 = s3_client(again)
                self.assertEqual([found["Key"] for found in s3.list_objects_v2(Bucket="bucket")["Contents"]], ["k"])
                self.assertEqual(s3.head_object(Bucket="bucket", Key="k")["ContentType"], "a/b")
                own = pathlib.Path(folder, "s3", ".dinette")
                self.assertEqual([file for file in (own / "temporary").rglob("*")], [])
                self.assertFalse((own / "scratch").exists())
            server.log.close()

    def test_one_server_uses_a_folder(self):
        with tempfile.TemporaryDirectory() as folder, Server("--s3", folder):
            second = subprocess.run([program(), "--port", "0", "--s3", folder], capture_output=True, text=True)
            self.assertEqual((second.returncode, second.stderr),
                             (1, f"dinette: --s3 {folder}: another process uses the folder\n"))


if __name__ == "__main__":
    unittest.main()
