"""What the crash tests share."""

import os
import random
import signal
import subprocess
import tempfile
import threading
import time

# Between two kills.
LONGEST_RUN_SECONDS = 0.06
CRASHES_PER_CHECK = 10  # of the folder by itself


def seed_chance():
    """Makes what follows repeatable: the seed is printed, and taken from DINETTE_TEST_SEED."""
    seed = int(os.environ.get("DINETTE_TEST_SEED", random.randrange(1 << 32)))
    print(f"DINETTE_TEST_SEED={seed}", flush=True)
    random.seed(seed)


def write_until(kill, works):
    """Has writers write, each to a port, until `kill` is called at a random moment. Those whose server lives stop."""
    stopped = threading.Event()
    threads = [threading.Thread(target=writer.write_until_gone, args=(port, stopped)) for writer, port in works]
    for thread in threads:
        thread.start()
    time.sleep(random.random() * LONGEST_RUN_SECONDS)
    kill()
    stopped.set()
    for thread in threads:
        thread.join()


def kill_server(server):
    server.process.send_signal(signal.SIGKILL)
    server.stop(signal.SIGKILL)
    server.log.close()


def crash(server, writers):
    """Lets the writers write until the server is killed."""
    write_until(lambda: server.process.send_signal(signal.SIGKILL), [(writer, server.port) for writer in writers])
    kill_server(server)


def check_folder(folder):
    """Looks at the folder as the kill has left it, before a server has opened it."""
    done = subprocess.run([os.environ["DINETTE_PROGRAM"], "check", folder], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def crash_again_and_again(crashes, start, writers, begin, check):
    """Kills a server with a data folder so many times while writers write. `start` starts one with a folder; `begin` is
    called with the first, and `check` with each that has been started after a kill."""
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        data = os.path.join(folder, "data")
        with start(data) as server:
            begin(server)
        for number in range(crashes):
            if number % CRASHES_PER_CHECK == 0:
                check_folder(data)
            server = start(data)
            check(server)
            crash(server, writers)
        with start(data) as server:
            check(server)
        check_folder(data)
    acknowledged = sum(writer.acknowledged for writer in writers)
    assert acknowledged > crashes, f"only {acknowledged} writes were acknowledged"
    return acknowledged
