"""OpenAI's chat and completion endpoints over the same model: the base by its name, any saved checkpoint by its own."""
import json
import os
import time
import uuid

from transformers import AutoTokenizer, GenerationConfig, PretrainedConfig

from .sampling import SampleWork


class BadRequest(ValueError):
    def __init__(self, message, status=400):
        super().__init__(message)
        self.status = status


class OpenAi:
    def __init__(self, engine):
        self.engine = engine
        self.source = engine.arguments.model
        self.tokenizer = AutoTokenizer.from_pretrained(self.source)
        self.stop_tokens = self._stop_tokens()

    def _stop_tokens(self):
        """What a model says of its own sampling goes before what its shape says, and before a library's default for that shape."""
        ends = [self.tokenizer.eos_token_id]
        if self._card().get("chat") == "plain":
            return set(ends)
        own = getattr(self._generation(), "eos_token_id", None)
        ends.append(own if own is not None else PretrainedConfig.get_config_dict(self.source)[0].get("eos_token_id"))
        return {token for end in ends for token in (end if isinstance(end, list) else [end]) if token is not None}

    def _card(self):
        """How the model is asked, where its folder says so (see src/engine/policy-card.ts)."""
        file = os.path.join(self.source, "policy-card.json")
        if not os.path.exists(file):
            return {}
        with open(file) as card:
            return json.load(card)

    def _generation(self):
        try:
            return GenerationConfig.from_pretrained(self.source)
        except OSError:
            return None  # a model need not say how it is sampled

    def models(self):
        names = sorted(name for name in os.listdir(self.engine.checkpoints) if not name.endswith((".tmp", ".old")))
        listed = [self.engine.arguments.name, *names]
        return {"object": "list", "data": [{"id": name, "object": "model", "owned_by": "repertoire"} for name in listed]}

    def _session(self, model):
        if model in (self.engine.arguments.name, self.source):
            return self.engine.create_sampling_session({})["sampling_session_id"]
        return self.engine.create_sampling_session({"model_path": model})["sampling_session_id"]

    def _prompt(self, body, chat):
        if chat:
            messages = body.get("messages")
            if not isinstance(messages, list) or not messages:
                raise BadRequest("messages is missing")
            if self.tokenizer.chat_template is None:
                # A model without a template reads what is said as it is.
                return self._encode("".join(_text(message.get("content")) for message in messages))
            goes_on = bool(body.get("continue_final_message"))
            text = self.tokenizer.apply_chat_template(
                messages, add_generation_prompt=not goes_on, continue_final_message=goes_on, tokenize=False)
            return self._encode(text)
        prompt = body.get("prompt")
        if isinstance(prompt, list) and prompt and all(isinstance(token, int) for token in prompt):
            return prompt
        if isinstance(prompt, list) and len(prompt) == 1:
            prompt = prompt[0]
        if not isinstance(prompt, str):
            raise BadRequest("prompt must be one text or one list of tokens")
        return self._encode(prompt)

    def _encode(self, text):
        # Templates write the marks of a model themselves.
        return self.tokenizer.encode(text, add_special_tokens=False)

    def answer(self, body, chat):
        """The reply as the protocol writes it: a document, or the events of a stream."""
        model = body.get("model") or self.engine.arguments.name
        prompt = self._prompt(body, chat)
        limit = self.engine.facts["max_position_embeddings"]
        room = limit - len(prompt)
        if not prompt or room < 1:
            raise BadRequest(f"the prompt has {len(prompt)} tokens; the context ends at {limit}")
        wanted = body.get("max_completion_tokens") or body.get("max_tokens") or room
        count = int(body.get("n") or 1)
        temperature = body.get("temperature")
        parameters = {
            "max_tokens": min(int(wanted), room), "temperature": 1.0 if temperature is None else float(temperature),
            "top_p": body.get("top_p") or 1.0, "top_k": body.get("top_k") or -1, "seed": body.get("seed"),
            "stop": sorted(self.stop_tokens),
        }
        session = self._session(model)
        weights = None if session == "base" else session
        future = self.engine.futures[self.engine.submit(SampleWork(weights, prompt, count, parameters, False))]
        future.done.wait()
        if future.error:
            raise BadRequest(future.error["error"], 500 if future.error["category"] == "server" else 400)
        stops = body.get("stop") or []
        choices = [self._choice(i, sequence, [stops] if isinstance(stops, str) else stops, body.get("logprobs"), chat)
                   for i, sequence in enumerate(future.result["sequences"])]
        spoken = sum(len(sequence["tokens"]) for sequence in future.result["sequences"])
        usage = {"prompt_tokens": len(prompt), "completion_tokens": spoken, "total_tokens": len(prompt) + spoken}
        about = {"id": f"{'chatcmpl' if chat else 'cmpl'}-{uuid.uuid4().hex[:16]}", "created": int(time.time()), "model": model}
        if not body.get("stream"):
            return {**about, "object": "chat.completion" if chat else "text_completion", "choices": choices, "usage": usage}
        return list(_events(about, choices, usage, chat, (body.get("stream_options") or {}).get("include_usage")))

    def _choice(self, index, sequence, stops, logprobs, chat):
        tokens = sequence["tokens"]
        stopped = sequence["stop_reason"] == "stop"
        text = self.tokenizer.decode(tokens[:-1] if stopped else tokens, skip_special_tokens=False)
        cut = min((text.find(stop) for stop in stops if stop in text), default=-1)
        if cut >= 0:
            text, stopped = text[:cut], True
        scores = None
        if logprobs:
            words = [self.tokenizer.decode([token]) for token in tokens]
            scores = (
                {"content": [{"token": word, "logprob": value, "bytes": list(word.encode()), "top_logprobs": []}
                             for word, value in zip(words, sequence["logprobs"])]}
                if chat else {"tokens": words, "token_logprobs": sequence["logprobs"], "top_logprobs": None, "text_offset": None}
            )
        said = {"message": {"role": "assistant", "content": text}} if chat else {"text": text}
        return {"index": index, **said, "logprobs": scores, "finish_reason": "stop" if stopped else "length"}


def _text(content):
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content)
    return ""


def _events(about, choices, usage, chat, with_usage):
    kind = "chat.completion.chunk" if chat else "text_completion"
    for choice in choices:
        said = {"delta": choice["message"]} if chat else {"text": choice["text"]}
        yield {**about, "object": kind, "choices": [{"index": choice["index"], **said, "logprobs": choice["logprobs"], "finish_reason": None}]}
        ended = {"delta": {}} if chat else {"text": ""}
        yield {**about, "object": kind, "choices": [{"index": choice["index"], **ended, "finish_reason": choice["finish_reason"]}]}
    if with_usage:
        yield {**about, "object": kind, "choices": [], "usage": usage}


def stream(events):
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events).encode() + b"data: [DONE]\n\n"
