"""Whole processes, measured from outside: time, memory and what they print."""

import dataclasses
import os
import signal
import statistics
import subprocess
import tempfile
import threading
import time


@dataclasses.dataclass
class Measurement:
    """Medians over the repetitions. A process that ran into the time limit has no output."""
    seconds: float
    processor: float  # seconds of all its threads
    memory: int       # bytes, at its peak
    output: str
    timed_out: bool = False


def once(command, limit):
    with tempfile.TemporaryFile("w+") as output:
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        timer = threading.Timer(limit, os.kill, (process.pid, signal.SIGKILL))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        output.seek(0)
        return Measurement(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, output.read(),
                           process.returncode == -signal.SIGKILL)


def measure(command, limit, repetitions=5, budget=5.0):
    """At most so many runs, and no new one after `budget` seconds."""
    start = time.monotonic()
    runs = []
    while len(runs) < repetitions and (not runs or time.monotonic() - start < budget):
        runs.append(once(command, limit))
        if runs[-1].timed_out:
            return dataclasses.replace(runs[-1], output="")
    return Measurement(statistics.median(run.seconds for run in runs), statistics.median(run.processor for run in runs),
                       max(run.memory for run in runs), runs[0].output)
