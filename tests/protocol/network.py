"""Two machines in a network of their own, as network namespaces: the one of a server, and the one of those who call it.
Needs root. Nothing of this machine's own network is changed."""

import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile

from server import program

# Root of a container may not make any.
MAY_MAKE = shutil.which("ip") is not None and subprocess.run(
    ["unshare", "--net", "--mount", "true"], check=False, stderr=subprocess.DEVNULL).returncode == 0
WHY_NOT = "network namespaces need rights of root and the command ip: nothing is tried from another machine"

# Reserved for documentation: RFC 5737, RFC 3849.
ADDRESSES = {"outside": ("192.0.2.1", "2001:db8::1"), "inside": ("192.0.2.2", "2001:db8::2")}


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True)


class Network:
    """with Network() as network: the machines "inside" and "outside". `ipv4=False`: they have IPv6 alone."""

    def __init__(self, ipv4=True):
        self.ipv4 = ipv4
        self.folder = tempfile.TemporaryDirectory()
        self.names = {machine: f"dinette-{os.getpid()}-{machine}" for machine in ADDRESSES}

    def __enter__(self):
        try:
            for machine, name in self.names.items():
                ip("netns", "add", name)
                ip("-n", name, "link", "set", "lo", "up")
            outside, inside = self.names["outside"], self.names["inside"]
            ip("-n", outside, "link", "add", "eth0", "type", "veth", "peer", "name", "eth0", "netns", inside)
            for machine, (v4, v6) in ADDRESSES.items():
                name = self.names[machine]
                # Else the link's own address becomes valid a second later, and Chromium loads anew what it was loading.
                ip("netns", "exec", name, "sh", "-c", "echo 0 > /proc/sys/net/ipv6/conf/eth0/accept_dad")
                if self.ipv4:
                    ip("-n", name, "address", "add", f"{v4}/24", "dev", "eth0")
                else:
                    ip("-n", name, "address", "del", "127.0.0.1/8", "dev", "lo")
                ip("-n", name, "address", "add", f"{v6}/64", "dev", "eth0", "nodad")
                ip("-n", name, "link", "set", "eth0", "up")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for name in self.names.values():
            subprocess.run(["ip", "netns", "del", name], check=False, stderr=subprocess.DEVNULL)
        self.folder.cleanup()

    def command(self, machine, *command):
        return ["ip", "netns", "exec", self.names[machine], *command]

    def program(self, machine="inside"):
        """Returns a program that is Dinette on that machine."""
        script = pathlib.Path(self.folder.name, machine)
        command = shlex.join(self.command(machine, program()))
        script.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
        return str(script)

    def output_of(self, machine, *command, **more):
        done = subprocess.run(self.command(machine, *command), capture_output=True, text=True, timeout=240, **more)
        if done.returncode != 0:
            raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout
