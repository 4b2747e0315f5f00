"""``python -m tests.benchmarks MODULE.FUNCTION ARGUMENT...``: measure here, and print JSON.

Such as ``concluding.measure 1000000``; an argument of digits is a number.
"""

import json
import sys
from importlib import import_module

if __name__ == "__main__":
    name, *words = sys.argv[1:]
    module, _, function = name.rpartition(".")
    measure = getattr(import_module(f"tests.benchmarks.{module}"), function)
    arguments = [int(word) if word.isdecimal() else word for word in words]
    print(json.dumps(measure(*arguments), indent=1))
