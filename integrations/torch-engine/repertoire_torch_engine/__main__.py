"""python -m repertoire_torch_engine --model <Hugging Face folder> --device cuda"""
import argparse
import os
import sys


def arguments():
    parser = argparse.ArgumentParser(prog="repertoire_torch_engine", description=__doc__)
    parser.add_argument("--model", required=True, help="a Hugging Face folder; without weights they are drawn at random")
    parser.add_argument("--name", help="what clients call the model (default: the folder's name)")
    parser.add_argument("--device", default="cuda", help="cuda, cuda:1, cpu; several with commas: cuda:0,cuda:1")
    parser.add_argument("--dtype", choices=["float32", "bfloat16"], help="default: bfloat16 on a GPU, float32 on a CPU")
    parser.add_argument("--checkpoints", default="checkpoints", help="folder for saved weights")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8421, help="0 picks a free one")
    parser.add_argument("--token", default=os.environ.get("REPERTOIRE_ENGINE_TOKEN"), help="clients must send it as X-API-Key")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lora-alpha", type=float, default=None, help="default: twice the rank")
    parser.add_argument("--train-tokens", type=int, default=32_768, help="padded tokens of one forward and backward pass")
    parser.add_argument("--head-rows", type=int, default=2_048, help="rows of logits held at a time")
    parser.add_argument("--slots", type=int, default=256, help="sequences decoded side by side")
    parser.add_argument("--cache-gigabytes", type=float, help="for keys and values (default: what is free, less 10)")
    parser.add_argument("--cache-bits", type=int, choices=[16, 12, 8], help="of keys and values: 12 hold what 16 do (the default where it is faster), 8 makes long samples faster and less exact")
    parser.add_argument("--gradient-checkpointing", action="store_true", help="run every layer twice (default: on a GPU as many as memory asks for)")
    parser.add_argument("--threads", type=int, help="CPU threads")
    return parser.parse_args()


def main():
    given = arguments()
    try:
        import torch
        import transformers  # noqa: F401
        import safetensors  # noqa: F401
    except ImportError as missing:
        sys.exit(f"{missing.name} is not installed for {sys.executable}: pip install torch transformers safetensors")
    if given.device.startswith("cuda") and not torch.cuda.is_available():
        sys.exit("PyTorch sees no GPU here; use --device cpu, or install a CUDA build of torch and check nvidia-smi")
    if given.host not in ("127.0.0.1", "localhost", "::1") and not given.token:
        sys.exit("serving beyond this machine needs --token (or REPERTOIRE_ENGINE_TOKEN)")
    given.dtype = given.dtype or ("bfloat16" if given.device.startswith("cuda") else "float32")
    given.cache_bytes = int(given.cache_gigabytes * 2**30) if given.cache_gigabytes else None
    given.name = given.name or os.path.basename(os.path.normpath(given.model))
    if given.threads:
        torch.set_num_threads(given.threads)
    torch.set_float32_matmul_precision("high" if given.dtype == "bfloat16" else "highest")
    from .server import serve

    serve(given)


if __name__ == "__main__":
    main()
