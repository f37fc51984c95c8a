"""python checks.py: members are apart, padding is not seen, and a few steps learn a rule."""
import torch
from torch.nn import functional

from encoder import PAD, Encoder, member, repeated

CONFIG = {"vocabulary": 40, "width": 16, "inner": 32, "heads": 2, "layers": 2, "classes": 3}


def batch(rows=6, length=9):
    torch.manual_seed(0)
    tokens = torch.randint(15, 40, (rows, length), dtype=torch.int32)
    segments = (torch.arange(length) >= 4).long().expand(rows, length)
    return tokens, segments


def main():
    tokens, segments = batch()
    model = repeated(Encoder(CONFIG, seed=3), 2)
    with torch.no_grad():
        model.layers[0].mix[1] += 0.1
        both = model.labels(tokens, segments)
        for index in range(2):
            assert torch.allclose(both[index], member(model, index).labels(tokens, segments)[0], atol=1e-5), "a member depends on others"
        assert not torch.allclose(both[0], both[1], atol=1e-3), "two members with other weights agree"
        wider = functional.pad(tokens, (0, 5), value=PAD)
        longer = functional.pad(segments, (0, 5))
        assert torch.allclose(both, model.labels(wider, longer), atol=1e-5), "padding changes labels"
    target = (tokens[:, 6] > 27).long()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(60):
        loss = functional.cross_entropy(model.labels(tokens, segments).flatten(0, 1), target.repeat(2))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.05, f"nothing was learned: {loss.item()}"
    print("ok")


if __name__ == "__main__":
    main()
