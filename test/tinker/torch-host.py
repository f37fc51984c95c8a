"""Programs of the torch-engine as forks of this process, which has imported what takes them longest. A line of JSON comes in for each:
module, arguments, environment. Out come its process id, each line that it prints, and how it ended."""
import io
import json
import os
import runpy
import signal
import sys
import traceback

import numpy  # noqa: F401
import peft  # noqa: F401
import torch  # noqa: F401
from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: F401

INTEGRATION = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../integrations/torch-engine"))


def tell(**said):
    os.write(1, (json.dumps({"pid": os.getpid(), **said}) + "\n").encode())


class Told(io.TextIOBase):
    def __init__(self, name):
        self.name, self.held = name, ""

    def write(self, text):
        *lines, self.held = (self.held + text).split("\n")
        for line in lines:
            tell(**{self.name: line})
        return len(text)


def run(module, arguments, environment):
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.update(environment)
    os.chdir(INTEGRATION)
    sys.path.insert(0, INTEGRATION)
    sys.argv, sys.stdout, sys.stderr = [module, *arguments], Told("out"), Told("error")
    tell(started=True)
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        return 0
    except SystemExit as ended:
        if isinstance(ended.code, str):
            tell(error=ended.code)
        return ended.code if isinstance(ended.code, int) else int(bool(ended.code))
    except BaseException:
        traceback.print_exc()
        return 1


signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for line in sys.stdin:
    if os.fork() == 0:
        code = run(**json.loads(line))
        tell(code=code)
        os._exit(code)
