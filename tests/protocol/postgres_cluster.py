"""PostgreSQL in a temporary folder, for servers that keep their data there."""

import glob
import os
import shutil
import signal
import subprocess
import tempfile

SETTINGS = ("listen_addresses=", "max_connections=300", "shared_buffers=64MB", "fsync=off", "deadlock_timeout=100ms")


def _program(name):
    """Of Debian's newest version, which is not in PATH."""
    found = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"), key=lambda path: int(path.split("/")[4]))
    return found[-1] if found else name


def _as_its_user(command):
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return command
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]


def _folder():
    folder = tempfile.mkdtemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres")
    return folder


def _run(*command):
    subprocess.run(_as_its_user(list(command)), check=True, capture_output=True, text=True)


class PostgresCluster:
    """with PostgresCluster() as cluster: Server("--store", cluster.url)"""

    def __init__(self, primary=None):
        """`primary`: the cluster that this one replicates."""
        self.folder = _folder()
        self.data = os.path.join(self.folder, "data")
        if primary:
            _run(_program("pg_basebackup"), "-D", self.data, "-d", primary.url_of("postgres"), "-R", "-X", "stream", "-c", "fast")
        else:
            options = ["--username", "dinette", "--auth", "trust", "--no-sync", "--encoding", "UTF8", "--no-locale"]
            _run(_program("initdb"), "--pgdata", self.data, *options)
        self.process = None
        self.settings = SETTINGS
        self.start()
        if not primary:
            self.sql("create database dinette", "postgres")
        self.url = self.url_of("dinette")

    def url_of(self, database):
        return f"postgresql:///{database}?user=dinette&host={self.folder}"

    def start(self):
        """Returns when it takes connections."""
        command = [_program("postgres"), "-D", self.data, "-k", self.folder]
        for setting in self.settings:
            command += ["-c", setting]
        self.process = subprocess.Popen(_as_its_user(command), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        asks = [_program("pg_isready"), "-q", "-h", self.folder, "-t", "1"]
        while subprocess.run(asks, check=False).returncode != 0:
            assert self.process.poll() is None, "PostgreSQL has ended"

    def require_replica(self):
        """From now on a commit is acknowledged when a replica has it. Returns when one follows."""
        self.sql("alter system set synchronous_standby_names = '*'", "postgres")
        self.sql("select pg_reload_conf()", "postgres")
        while self.sql("select count(*) from pg_stat_replication where sync_state = 'sync'", "postgres").strip() != "1":
            pass

    def promote(self):
        """Makes a replica the primary."""
        self.sql("select pg_promote()", "postgres")

    def crash(self):
        """Ends it at once, without a checkpoint."""
        if self.process:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait()
        self.process = None

    def listen(self, user, password):
        """From the next start on, this user is let in by TCP with TLS and a password. Returns the address and the file of the
        certificate that proves it."""
        address = f"127.{os.getpid() % 250 + 1}.{os.getpid() // 250 % 250}.{os.getpid() // 62500 % 250 + 1}"
        certificate, key = os.path.join(self.data, "server.crt"), os.path.join(self.data, "server.key")
        _run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=database",
             "-addext", f"subjectAltName=IP:{address}", "-out", certificate, "-keyout", key)
        self.sql(f"create role {user} login password '{password}'; grant all on database dinette to {user}; grant all on schema public to {user}")
        with open(os.path.join(self.data, "pg_hba.conf"), "w", encoding="utf-8") as rules:
            rules.write(f"local all all trust\nhostssl all {user} 127.0.0.0/8 scram-sha-256\n")
        self.settings = (*SETTINGS, f"listen_addresses={address}", "ssl=on")
        copy = os.path.join(self.folder, "database.crt")
        shutil.copy(certificate, copy)
        os.chmod(self.folder, 0o755)
        return address, copy

    def sql(self, statements, database="dinette"):
        command = [_program("psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", self.url_of(database), "-c", statements]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.crash()
        shutil.rmtree(self.folder)


class Pooler:
    """pgbouncer before a cluster: each transaction gets any of its few connections."""

    def __init__(self, cluster):
        self.folder = _folder()
        settings = {"unix_socket_dir": self.folder, "listen_port": 6432, "auth_type": "any", "pool_mode": "transaction",
                    "default_pool_size": 8, "max_client_conn": 200, "ignore_startup_parameters": "extra_float_digits"}
        lines = ["[databases]", f"* = host={cluster.folder} user=dinette", "[pgbouncer]"]
        file = os.path.join(self.folder, "pgbouncer.ini")
        with open(file, "w", encoding="utf-8") as configuration:
            configuration.write("\n".join(lines + [f"{name} = {value}" for name, value in settings.items()]) + "\n")
        self.process = subprocess.Popen(_as_its_user(["/usr/sbin/pgbouncer", file]), stderr=subprocess.DEVNULL)
        while not os.path.exists(os.path.join(self.folder, ".s.PGSQL.6432")):
            assert self.process.poll() is None, "pgbouncer has ended"

    def url_of(self, database):
        return f"postgresql:///{database}?user=dinette&host={self.folder}&port=6432"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder)


def url_of_either(one, other):
    """The URL of whichever of two takes writes."""
    return f"{one.url},{other.folder}&target_session_attrs=read-write"
