"""python -m repertoire_torch_engine.classifier --backbone <Hugging Face folder> --lessons <folder> --out <folder>

A classification head on any encoder or decoder, trained with all weights or adapters, stopped by the validation lessons, and exported
to ONNX. `repertoire traces train-classifier --backbone … --onnx` writes the lessons (taught, validation and test as JSON lines of
input, target and weight), calls this, and measures what comes back (logits.json)."""
import argparse
import hashlib
import json
import math
import os
import shutil
import sys
import time


def arguments():
    parser = argparse.ArgumentParser(prog="repertoire_torch_engine.classifier", description=__doc__)
    parser.add_argument("--backbone", required=True)
    parser.add_argument("--lessons", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--labels", required=True, help="their names, with commas")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--lora-rank", type=int, default=0, help="0 trains all weights")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--patience", type=int, default=1)
    parser.add_argument("--spans-per-step", type=int, default=32)
    parser.add_argument("--learning-rate", type=float, default=5e-5)
    parser.add_argument("--longest", type=int, default=512, help="tokens; longer inputs lose their beginning")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main():
    given = arguments()
    try:
        import onnx  # noqa: F401
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer
    except ImportError as missing:
        sys.exit(f"{missing.name} is not installed for {sys.executable}: pip install torch transformers safetensors onnx onnxscript")
    torch.manual_seed(given.seed)
    names = given.labels.split(",")
    tokenizer = AutoTokenizer.from_pretrained(given.backbone)
    model = AutoModelForSequenceClassification.from_pretrained(
        given.backbone, num_labels=len(names), id2label=dict(enumerate(names)), label2id={n: i for i, n in enumerate(names)},
        dtype=torch.float32, attn_implementation="eager",
    ).to(given.device)
    padding = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
    # Decoders look for the last token that is no padding.
    model.config.pad_token_id = padding = 0 if padding is None else padding
    longest = min(given.longest, getattr(model.config, "max_position_embeddings", None) or given.longest)
    lessons = {part: Lessons(os.path.join(given.lessons, f"{part}.jsonl"), tokenizer, longest) for part in ("taught", "validation", "test")}
    adapters = adapted(model, given) if given.lora_rank > 0 else None
    learned = [p for p in model.parameters() if p.requires_grad] + (adapters.parameters("labels") if adapters else [])
    print(f"{sum(p.numel() for p in learned) / 1e6:.2f} million weights learn", flush=True)
    record = train(model, learned, lessons, padding, given)
    if adapters:
        merge(adapters)
    os.makedirs(given.out, exist_ok=True)
    logits = {part: opinions(model, lessons[part], padding, given.device).tolist() for part in ("validation", "test")}
    export(model, lessons["test"], padding, given.out)
    model.config.save_pretrained(given.out)
    # As the labeler reads them: the files, not a converted copy.
    for name in ("tokenizer.json", "tokenizer_config.json"):
        if os.path.exists(os.path.join(given.backbone, name)):
            shutil.copy(os.path.join(given.backbone, name), given.out)
    import transformers

    versions = {"torch": torch.__version__, "transformers": transformers.__version__, "python": sys.version.split()[0]}
    with open(os.path.join(given.out, "logits.json"), "w") as file:
        json.dump({"logits": logits, "record": {**record, "longest": longest, "versions": versions}}, file)


class Lessons:
    def __init__(self, path, tokenizer, longest):
        with open(path, encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        self.targets, self.weights = [row["target"] for row in rows], [row["weight"] for row in rows]
        ids = [tokenizer(row["input"])["input_ids"] for row in rows]
        self.ids = [row if len(row) <= longest else [row[0], *row[len(row) - longest + 1 :]] for row in ids]

    def batch(self, rows, padding, device):
        import torch

        width = max(len(self.ids[row]) for row in rows)
        ids = torch.full((len(rows), width), padding, dtype=torch.long)
        mask = torch.zeros((len(rows), width), dtype=torch.long)
        for i, row in enumerate(rows):
            ids[i, : len(self.ids[row])], mask[i, : len(self.ids[row])] = torch.tensor(self.ids[row]), 1
        targets = torch.tensor([self.targets[row] for row in rows])
        weights = torch.tensor([self.weights[row] for row in rows])
        return ids.to(device), mask.to(device), targets.to(device), weights.to(device)


def adapted(model, given):
    """Adapters on every linear layer but the new head, which learns whole."""
    from .lora import AdapterSet

    head = next(getattr(model, name) for name in ("score", "classifier") if hasattr(model, name))
    model.get_output_embeddings = lambda: head
    adapters = AdapterSet(model)
    adapters.create("labels", given.lora_rank, 2 * given.lora_rank, given.seed)
    adapters.use("labels")
    for parameter in head.parameters():
        parameter.requires_grad_(True)
    return adapters


def merge(adapters):
    import torch

    with torch.no_grad():
        for layer in adapters.layers.values():
            adapter = layer.adapters["labels"]
            layer.base.weight += adapter["scale"] * adapter["b"] @ adapter["a"]
    adapters.use(None)


def train(model, learned, lessons, padding, given):
    """Cross-entropy with shares of labels; a warm-up, then down to nothing; the best epoch's weights stay."""
    import torch
    from torch.nn import functional

    taught, device = lessons["taught"], given.device
    kept = os.path.join(given.lessons, "state.pt")
    optimizer = torch.optim.AdamW(learned, lr=0.0, weight_decay=0.01)
    mean = sum(taught.weights) / len(taught.weights)
    per_epoch = math.ceil(len(taught.ids) / given.spans_per_step)
    steps, step, best, curve = per_epoch * given.epochs, 0, None, []
    generator = torch.Generator().manual_seed(given.seed)
    begun = time.time()
    what = identity(given)
    if os.path.exists(kept) and (state := torch.load(kept, weights_only=True))["what"] == what:
        step, best, curve = state["step"], state["best"], state["curve"]
        print(f"resuming after epoch {len(curve)}", flush=True)
        put_back(learned, state["learned"])
        optimizer.load_state_dict(state["optimizer"])
        generator.set_state(state["order"])
        torch.set_rng_state(state["noise"])
    for epoch in range(len(curve) + 1, given.epochs + 1):
        if best is not None and epoch - 1 - best[1] > given.patience:
            break
        model.train()
        order = torch.randperm(len(taught.ids), generator=generator).tolist()
        for start in range(0, len(order), given.spans_per_step):
            ids, mask, targets, weights = taught.batch(order[start : start + given.spans_per_step], padding, device)
            with torch.autocast(device.split(":")[0], torch.bfloat16, enabled=device.startswith("cuda")):
                logits = model(input_ids=ids, attention_mask=mask).logits.float()
            loss = (-(targets * functional.log_softmax(logits, -1)).sum(-1) * weights / mean).mean()
            loss.backward()
            step += 1
            torch.nn.utils.clip_grad_norm_(learned, 1.0)
            for group in optimizer.param_groups:
                group["lr"] = given.learning_rate * min(1, step / max(1, 0.05 * steps)) * (1 - (step - 1) / steps)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        scores = opinions(model, lessons["validation"], padding, device)
        targets = torch.tensor(lessons["validation"].targets)
        validation = (-(targets * functional.log_softmax(scores, -1)).sum(-1)).mean().item()
        accuracy = (scores.argmax(-1) == targets.argmax(-1)).float().mean().item()
        curve.append({"epoch": epoch, "validationLoss": validation, "accuracy": accuracy})
        print(f"epoch {epoch}: validation loss {validation:.3f}, accuracy {accuracy:.3f}, {time.time() - begun:.0f} s", flush=True)
        if best is None or validation < best[0]:
            best = (validation, epoch, [p.detach().cpu().clone() for p in learned])
        state = {"what": what, "step": step, "best": best, "curve": curve, "optimizer": optimizer.state_dict()}
        state.update(learned=[p.detach().cpu() for p in learned], order=generator.get_state(), noise=torch.get_rng_state())
        torch.save(state, kept + ".new")
        os.replace(kept + ".new", kept)
    put_back(learned, best[2])
    return {"bestEpoch": best[1], "curve": curve}


def put_back(learned, kept):
    import torch

    with torch.no_grad():
        for parameter, values in zip(learned, kept):
            parameter.copy_(values)


def identity(given):
    """The same lessons and settings: a training of them that was stopped goes on after its last epoch."""
    digest = hashlib.sha256(json.dumps({**vars(given), "out": None, "lessons": None}, sort_keys=True).encode())
    for part in ("taught", "validation"):
        with open(os.path.join(given.lessons, f"{part}.jsonl"), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def opinions(model, lessons, padding, device, at_once=32):
    import torch

    model.eval()
    order = sorted(range(len(lessons.ids)), key=lambda row: len(lessons.ids[row]))
    scores = torch.zeros(len(order), model.config.num_labels)
    with torch.no_grad():
        for start in range(0, len(order), at_once):
            rows = order[start : start + at_once]
            ids, mask, _, _ = lessons.batch(rows, padding, device)
            scores[rows] = model(input_ids=ids, attention_mask=mask).logits.float().cpu()
    return scores


def export(model, lessons, padding, folder):
    import torch

    class Logits(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, input_ids, attention_mask):
            return self.model(input_ids=input_ids, attention_mask=attention_mask).logits

    model.eval().cpu()
    ids, mask, _, _ = lessons.batch(list(range(min(2, len(lessons.ids)))), padding, "cpu")
    axes = {0: "spans", 1: "tokens"}
    torch.onnx.export(
        Logits(), (ids, mask), os.path.join(folder, "model.onnx"), dynamo=False, opset_version=17,
        input_names=["input_ids", "attention_mask"], output_names=["logits"],
        dynamic_axes={"input_ids": axes, "attention_mask": axes, "logits": {0: "spans"}},
    )


if __name__ == "__main__":
    main()
