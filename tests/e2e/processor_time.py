"""Waiting for what a process does, not for a clock: a busy machine may give it no processor for long."""

import os
import time

PATIENCE = 600  # seconds: whoever has not ended by then hangs


def wait_until_it_works(pid, seconds=0.2):
    """Until the process has used that much time of a processor from now on."""
    def used():
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return sum(map(int, file.read().rpartition(")")[2].split()[11:13])) / os.sysconf("SC_CLK_TCK")

    begin = used()
    while used() < begin + seconds:
        time.sleep(0.02)
