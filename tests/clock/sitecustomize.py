"""Moves the clock of a process: Python imports this by itself where it is on the PYTHONPATH.

``VIRTUAL_NOW`` is the time at which the process begins, in seconds since 1970; from then on time
passes as ever. Delays, which are measured with another clock, stay what they are.
"""

import os

import time_machine

time_machine.travel(float(os.environ["VIRTUAL_NOW"]), tick=True).start()
