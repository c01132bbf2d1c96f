"""The command line of the scripts that print random cases."""

import argparse
import json


def print_cases(description, generator):
    """Prints cases, one a line; `generator(seed)` returns a function that makes the next one."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=100)
    options = parser.parse_args()
    case = generator(options.seed)
    for _ in range(options.count):
        print(json.dumps(case()))
