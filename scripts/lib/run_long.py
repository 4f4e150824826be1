"""Runs the cases tagged [long], which are short in the other stages, for minutes in each build, then all tests with each
sanitizer, also real clients of a server, and compiles every header and every source alone."""

import os
import subprocess

import ctest
from building import ROOT, build, folder_of
from summaries import Count, count_cases

SANITIZERS = ("asan", "tsan")
PRESETS = ("release", *SANITIZERS)
PROGRAM = "dynamodb_threads_test"
FACTOR = "40"  # of the rounds that the other stages run


def _run(preset):
    if not build(preset, PROGRAM):
        return Count(failed=1)
    command = ctest.prefix(preset) + [folder_of(preset) / "bin" / PROGRAM, "[long]", "--durations", "yes"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True,
                           env={"DINETTE_TEST_FACTOR": FACTOR, **os.environ})
    print(f"{preset}:\n{ended.stderr}{ended.stdout}", flush=True)
    return count_cases(ended.stdout, ended.returncode == 0)


def _all_tests(preset):
    if not build(preset):
        return Count(failed=1)
    return ctest.run(preset)


def _compiled_alone():
    targets = ("headers_alone", "headers_alone_with_source", "sources_alone")
    compiled = all(build("release", target) for target in targets)
    return Count(passed=1) if compiled else Count(failed=1)


def run():
    return sum((*map(_run, PRESETS), *map(_all_tests, SANITIZERS)), _compiled_alone())
