"""python train.py --data <folder of prepare.py> --out <folder> --recipe recipe.json

Pre-trains encoders on masked words, fine-tunes one member a fold and seed on the labeled spans that the fold may see, and
teaches a small encoder from a large one's opinions of all spans. Every phase has its seconds and ends with them."""
import argparse
import json
import os
import time

import numpy as np
import torch
from torch.nn import functional

from encoder import MASK, PAD, SPECIAL, START, Encoder, member, repeated

CLASSES, FOLDS = 9, 5


class Data:
    def __init__(self, folder, device):
        with np.load(os.path.join(folder, "data.npz")) as arrays:
            self.arrays = {name: arrays[name] for name in arrays.files}
        self.device = device
        self.corpus = torch.from_numpy(self.arrays["corpus"].astype(np.int32)).to(device)
        self.fold, self.label, self.sureness = self.of("fold").long(), self.of("label").long(), self.of("sureness")
        self.made = self.of("made")

    def of(self, name, kind="labeled"):
        return torch.from_numpy(self.arrays[f"{kind}/{name}"]).to(self.device)

    def tokens(self, form, kind="labeled"):
        tokens = torch.from_numpy(self.arrays[f"{kind}/{form}/tokens"].astype(np.int32)).to(self.device)
        return tokens, self.of(f"{form}/segments", kind).long()


def schedule(done, warmup=0.05):
    return min(1.0, done / warmup) * max(0.02, 1 - done)


def optimizer_of(model, weight_decay):
    matrices = [p for p in model.parameters() if p.dim() > 2]
    vectors = [p for p in model.parameters() if p.dim() <= 2]
    groups = [{"params": matrices, "weight_decay": weight_decay}, {"params": vectors, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=0.0, betas=(0.9, 0.98), fused=next(model.parameters()).is_cuda)


def take_step(optimizer, model, rate):
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0 * model.members**0.5)
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)


def pretrain(model, data, given, tell):
    """Masked words: 30% of positions, of which a tenth is left and a tenth is another word."""
    length, batch, seconds = given["length"], given["batch"], given["seconds"]
    generator = torch.Generator(device=data.device).manual_seed(1)
    optimizer, model = optimizer_of(model, 0.05), model.train()
    begun, step, seen, loss = time.time(), 0, 0, None
    offsets = torch.arange(length, device=data.device)
    segments = torch.zeros(batch, length, dtype=torch.long, device=data.device)
    while (spent := time.time() - begun) < seconds and step < given["most"]:
        starts = torch.randint(len(data.corpus) - length, (batch, 1), generator=generator, device=data.device)
        words = data.corpus[starts + offsets]
        # A fixed number of masked positions, so that shapes are the same and nothing waits for the device.
        rows = torch.rand(batch * length, generator=generator, device=data.device).topk(int(0.3 * batch * length)).indices
        targets = words.flatten()[rows].long()
        dice = torch.rand(len(rows), generator=generator, device=data.device)
        strangers = torch.randint(SPECIAL, model.config["vocabulary"], (len(rows),), generator=generator, device=data.device).int()
        shown = torch.where(dice < 0.8, torch.full_like(strangers, MASK), torch.where(dice < 0.9, strangers, targets.int()))
        inputs = words.flatten().scatter(0, rows, shown).view(batch, length)
        # As in fine-tuning: text stands in either segment, after a start.
        inputs[:, 0] = START
        kinds = segments + (offsets >= torch.randint(1, length, (batch, 1), generator=generator, device=data.device))
        logits = model.words_at(inputs, kinds, rows)[0]
        loss = functional.cross_entropy(logits, targets)
        loss.backward()
        take_step(optimizer, model, given["rate"] * schedule(max(spent / seconds, step / given["most"])))
        step, seen = step + 1, seen + batch * length
        if step % 200 == 0:
            tell(f"  masked words: step {step}, loss {loss.item():.3f}, {seen / 1e6:.0f} million tokens, {time.time() - begun:.0f} s")
    tell(f"  pre-trained: {step} steps, {seen / 1e6:.0f} million tokens, loss {loss.item():.3f}")


def weights_of(data, members, balance, made):
    """[members, spans]: what a span teaches each member; nothing where its trace is held out. As the linear model weighs them."""
    read = ~data.made
    totals = torch.zeros(CLASSES, device=data.device).index_add(0, data.label[read], data.sureness[read])
    boost = (totals.sum() / CLASSES / totals.clamp(min=1)).clamp(max=6) ** balance
    worth = torch.where(data.made, made * data.sureness, data.sureness * boost[data.label])
    folds = torch.arange(members, device=data.device) % (FOLDS + 1)
    # The last member of every six holds nothing out: it is the one to keep.
    return worth[None] * (data.fold[None] != folds[:, None])


def finetune(model, tokens, segments, targets, weights, often, given, seed, tell):
    """targets: [members, spans, classes], shares of labels; often: how likely an epoch shows each span."""
    generator = torch.Generator(device=tokens.device).manual_seed(seed)
    optimizer, model = optimizer_of(model, given["decay"]), model.train()
    lengths = (tokens != PAD).sum(1)
    count, batch = len(tokens), given["batch"]
    steps = max(1, int(given["epochs"] * float(often.sum()) / batch))
    begun, step, loss = time.time(), 0, None
    while step < steps and time.time() - begun < given["seconds"]:
        order = torch.randperm(count, generator=generator, device=tokens.device)
        order = order[torch.rand(count, generator=generator, device=tokens.device)[order] < often[order]]
        for rows in order.split(batch):
            if len(rows) < batch or step >= steps:
                break
            width = given.get("width") or int(lengths[rows].max())
            shown = tokens[rows, :width]
            if given["mask"] > 0:
                hidden = torch.rand(shown.shape, generator=generator, device=tokens.device) < given["mask"]
                shown = torch.where(hidden & (shown > SPECIAL), torch.full_like(shown, MASK), shown)
            logits = model.labels(shown, segments[rows, :width], given["dropout"])
            losses = -(targets[:, rows] * functional.log_softmax(logits, -1)).sum(-1)
            loss = (losses * weights[:, rows]).sum() / batch
            loss.backward()
            take_step(optimizer, model, given["rate"] * schedule(step / steps))
            step += 1
    tell(f"  fine-tuned: {step} of {steps} steps, loss {loss.item() / model.members:.3f}, {time.time() - begun:.0f} s")


@torch.no_grad()
def opinions(model, tokens, segments, batch=256):
    """[members, spans, classes]"""
    model.eval()
    parts = []
    for start in range(0, len(tokens), batch):
        rows = slice(start, start + batch)
        width = int((tokens[rows] != PAD).sum(1).max())
        parts.append(model.labels(tokens[rows, :width], segments[rows, :width]))
    return torch.cat(parts, 1)


def held_out(logits, fold):
    """The mean over seeds of each read span's logits from the members that did not see its trace; NaN for made spans."""
    members = torch.arange(len(logits), device=logits.device) % (FOLDS + 1)
    result = torch.full(logits.shape[1:], float("nan"), device=logits.device)
    for number in range(FOLDS):
        rows = fold == number
        result[rows] = functional.log_softmax(logits[members == number][:, rows], -1).mean(0)
    return result


def quality(logits, data):
    read = data.fold >= 0
    given, label = logits[read].argmax(-1).cpu().numpy(), data.label[read].cpu().numpy()
    scores = []
    for code in range(CLASSES):
        if (label == code).sum() >= 20:
            right = ((given == code) & (label == code)).sum()
            scores.append(2 * right / max(1, (given == code).sum() + (label == code).sum()))
    return f"accuracy {(given == label).mean():.4f}, macro-F1 {np.mean(scores):.4f}"


def run(data, recipe, out, tell):
    results, keep = {}, {}
    one_hot = functional.one_hot(data.label, CLASSES).float()
    for name, plan in recipe["models"].items():
        tell(name)
        config = {**plan["config"], "classes": CLASSES}
        model = Encoder(config).to(data.device)
        tell(f"  {sum(p.numel() for p in model.parameters()) / 1e6:.1f} million parameters")
        if plan.get("pretrain"):
            pretrain(model, data, plan["pretrain"], tell)
        base = {key: value.detach().clone() for key, value in model.state_dict().items()}
        for variant, given in plan["variants"].items():
            model.load_state_dict(base)
            members = (FOLDS + 1) * given["seeds"]
            tokens, segments = data.tokens(given["form"])
            weights = weights_of(data, members, given["balance"], given["made"])
            targets = one_hot[None].expand(members, -1, -1)
            often = torch.where(data.made, given["made_often"], 1.0)
            many = repeated(model, members).to(data.device)
            if given.get("teacher"):
                # All spans of the traces, as the teacher of the same fold sees them; none of a held-out trace.
                teacher = keep[given["teacher"]]
                more_tokens, more_segments = data.tokens(given["form"], "every-span")
                fold = data.of("fold", "every-span").long()
                shares = functional.softmax(teacher / given["softness"], -1)
                shares = torch.stack([shares[i % (FOLDS + 1) :: FOLDS + 1].mean(0) for i in range(members)])
                visible = fold[None] != (torch.arange(members, device=data.device) % (FOLDS + 1))[:, None]
                wide = max(tokens.shape[1], more_tokens.shape[1])
                grown = lambda t: functional.pad(t, (0, wide - t.shape[1]))
                tokens_all, segments_all = (torch.cat((grown(a), grown(b))) for a, b in ((tokens, more_tokens), (segments, more_segments)))
                finetune(
                    many, tokens_all, segments_all, torch.cat((targets, shares), 1),
                    torch.cat((weights, given["taught"] * visible.float()), 1),
                    torch.cat((often, torch.ones(len(fold), device=data.device))), given, 1, tell,
                )
            else:
                finetune(many, tokens, segments, targets, weights, often, given, 1, tell)
            logits = opinions(many, tokens, segments)
            outside = held_out(logits, data.fold)
            tell(f"  {variant}: {quality(outside, data)}; one seed: {quality(held_out(logits[: FOLDS + 1], data.fold), data)}")
            results[f"{name}.{variant}"] = outside.cpu().numpy().astype(np.float32)
            if given.get("teaches"):
                keep[f"{name}.{variant}"] = opinions(many, *data.tokens(given["form"], "every-span"))
            if given.get("save"):
                torch.save({"config": config, "state": {k: v.half().cpu() for k, v in member(many, FOLDS).state_dict().items()}}, os.path.join(out, f"{name}.{variant}.pt"))
                outside_one = held_out(logits[: FOLDS + 1], data.fold)
                results[f"{name}.{variant}.one"] = outside_one.cpu().numpy().astype(np.float32)
            np.savez_compressed(os.path.join(out, "held-out.npz"), **results)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--recipe", required=True)
    parser.add_argument("--device", default="cuda")
    given = parser.parse_args()
    os.makedirs(given.out, exist_ok=True)
    torch.manual_seed(1)
    torch.set_float32_matmul_precision("high")
    begun = time.time()
    with open(given.recipe) as file:
        recipe = json.load(file)
    data = Data(given.data, torch.device(given.device))

    def tell(line):
        print(f"{time.time() - begun:6.1f} {line}", flush=True)
        with open(os.path.join(given.out, "log.txt"), "a") as file:
            file.write(line + "\n")

    tell(f"{len(data.corpus) / 1e6:.1f} million tokens, {len(data.label)} spans to learn from")
    run(data, recipe, given.out, tell)


if __name__ == "__main__":
    main()
