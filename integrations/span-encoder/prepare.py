"""python prepare.py --data <folder of bench/span-encoder-data.ts> --text <file or folder> … --out <folder>

A tokenizer learned from the text, the text as tokens to pre-train on, and all spans as tokens. Text is plain or JSON lines,
of which every string longer than 200 characters is taken."""
import argparse
import glob
import json
import os

import numpy as np
from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, trainers

from encoder import PAD, PLACES, SEPARATOR, SPECIAL, START

LENGTHS = {"previous": 64, "question": 48, "text": 176}


def texts(path):
    if os.path.isdir(path):
        for inner in sorted(glob.glob(os.path.join(path, "**", "*.json*"), recursive=True)):
            yield from texts(inner)
        return
    with open(path, encoding="utf-8") as file:
        if path.endswith(".jsonl"):
            for line in file:
                yield from strings(json.loads(line))
        elif path.endswith(".json"):
            yield from strings(json.load(file))
        else:
            yield file.read()


def strings(value):
    if isinstance(value, str):
        if len(value) > 200:
            yield value
    elif isinstance(value, (list, dict)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings(inner)


def learned(corpus, vocabulary):
    """Lower case, every number the same, a mark for new lines; words, punctuation apart, in pieces."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=64))
    tokenizer.normalizer = normalizers.Sequence([
        normalizers.Replace(Regex("\\n+"), " ¶ "), normalizers.Replace(Regex("[0-9]+"), "0"),
        normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=False, lowercase=True),
    ])
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[MASK]", "[START]", "[SEP]", *(f"[PLACE{i}]" for i in range(10)), "[UNK]"]
    assert special.index("[UNK]") == SPECIAL
    trainer = trainers.WordPieceTrainer(
        vocab_size=vocabulary, special_tokens=special, min_frequency=3, limit_alphabet=300, show_progress=False
    )
    tokenizer.train_from_iterator(corpus, trainer)
    return tokenizer


def place_token(place):
    return PLACES if place < 0 else PLACES + 1 + min(8, int(place * 9))


def encoded(ids, place, question, previous, text):
    """[START] place (question [SEP]) previous [SEP] text, and which of them is the span."""
    head = [START, place_token(place)]
    if question is not None:
        head += ids(question)[-LENGTHS["question"]:] + [SEPARATOR]
    # A long span is read at both ends: what it does is said there.
    words, half = ids(text), LENGTHS["text"] // 2
    if len(words) > LENGTHS["text"]:
        words = words[:half] + words[-half:]
    head += ids(previous)[-LENGTHS["previous"]:] + [SEPARATOR]
    return head + words, [0] * len(head) + [1] * len(words)


def padded(rows):
    width = max(len(tokens) for tokens, _ in rows)
    tokens, segments = np.full((len(rows), width), PAD, np.uint16), np.zeros((len(rows), width), np.uint8)
    for i, (ids, kinds) in enumerate(rows):
        tokens[i, : len(ids)], segments[i, : len(kinds)] = ids, kinds
    return tokens, segments


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True)
    parser.add_argument("--text", action="append", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--vocabulary", type=int, default=8192)
    given = parser.parse_args()
    os.makedirs(given.out, exist_ok=True)
    corpus = list(dict.fromkeys(text for path in given.text for text in texts(path)))
    print(f"{len(corpus)} texts, {sum(map(len, corpus)) / 1e6:.1f} million characters", flush=True)
    tokenizer = learned(corpus, given.vocabulary)
    tokenizer.save(os.path.join(given.out, "tokenizer.json"))
    ids = lambda text: tokenizer.encode(text, add_special_tokens=False).ids
    stream = []
    for start in range(0, len(corpus), 256):
        for encoding in tokenizer.encode_batch(corpus[start : start + 256], add_special_tokens=False):
            stream.append(np.array([*encoding.ids, SEPARATOR], np.uint16))
    arrays = {"corpus": np.concatenate(stream)}
    for name in ("labeled", "every-span"):
        with open(os.path.join(given.data, f"{name}.jsonl"), encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        for form in ("plain", "question"):
            rows = [
                encoded(ids, r["place"], r["question"] if form == "question" else None, r["previous"], r["text"]) for r in records
            ]
            tokens, segments = padded(rows)
            arrays[f"{name}/{form}/tokens"], arrays[f"{name}/{form}/segments"] = tokens, segments
        arrays[f"{name}/fold"] = np.array([r["fold"] for r in records], np.int8)
        if name == "labeled":
            arrays["labeled/label"] = np.array([r["code"] for r in records], np.int8)
            arrays["labeled/made"] = np.array([r["domain"] == "written" or r["domain"].startswith("narrated") for r in records])
            sureness = {"low": 0.5, "medium": 0.9, "high": 1.0}
            arrays["labeled/sureness"] = np.array([sureness[r["confidence"]] for r in records], np.float32)
    np.savez_compressed(os.path.join(given.out, "data.npz"), **arrays)
    print({name: array.shape for name, array in arrays.items()}, tokenizer.get_vocab_size())


if __name__ == "__main__":
    main()
