"""The `s3` commands of the AWS CLI from Debian, unmodified."""

import pathlib
import subprocess
import tempfile
import unittest

from server import Server

CLI = "/usr/bin/aws"


class Cli(unittest.TestCase):
    def aws(self, *arguments):
        ended = subprocess.run([CLI, "--endpoint-url", self.server.endpoint, *arguments], cwd=self.home,
                               env=self.environment, capture_output=True, text=True)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        return ended.stdout

    def test_a_folder_goes_to_a_bucket_and_back(self):
        with Server() as self.server, tempfile.TemporaryDirectory() as self.home:
            self.environment = {
                "PATH": "/usr/bin:/bin", "HOME": self.home, "AWS_ACCESS_KEY_ID": "key", "LANG": "C.UTF-8",
                "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "eu-west-2", "AWS_EC2_METADATA_DISABLED": "true"}
            here = pathlib.Path(self.home, "here")
            (here / "sub").mkdir(parents=True)
            (here / "large").write_bytes(bytes(range(256)) * (9 * 1024 * 4))  # 9 MB: two parts
            (here / "sub/small ü.txt").write_text("small")
            self.aws("s3", "mb", "s3://bucket")
            self.aws("s3", "cp", "here", "s3://bucket/there", "--recursive", "--no-progress")
            listed = self.aws("s3", "ls", "s3://bucket", "--recursive")
            self.assertEqual([line.split(maxsplit=3)[2:] for line in listed.splitlines()],
                             [["9437184", "there/large"], ["5", "there/sub/small ü.txt"]])
            self.aws("s3", "sync", "s3://bucket/there", "back", "--no-progress")
            self.assertEqual(subprocess.run(["diff", "-r", "here", "back"], cwd=self.home).returncode, 0)
            self.aws("s3", "rb", "s3://bucket", "--force")
            self.assertEqual(self.aws("s3", "ls"), "")


if __name__ == "__main__":
    unittest.main()
