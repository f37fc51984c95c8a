"""What transformers makes of the chat templates of real models: every *.jinja of a folder, or TRL's collection, as JSON.

    python integrations/golden/chat_template.py FILE [FOLDER]

Each case is `transformers.utils.chat_template_utils.render_jinja_template([messages], chat_template=...,
add_generation_prompt=..., bos_token=..., eos_token=...)` on 26 July 2024; run with transformers 5.18 and TRL 1.13.
"""
import json
import sys
from datetime import datetime
from pathlib import Path

import transformers.utils.chat_template_utils as utils


class Fixed(datetime):
    @classmethod
    def now(cls, tz=None):
        return cls(2024, 7, 26)


utils.datetime = Fixed
MARKS = {"bos_token": "<bos>", "eos_token": "<eos>", "pad_token": "<pad>", "unk_token": "<unk>"}
ASKED = {"role": "user", "content": "  Solve this.\n2+2? "}
# The shapes in which a policy is spoken to, and the one that its ending is read off.
SHAPES = [
    ([ASKED], True),
    ([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Say {{x}} and 'y'"}], True),
    ([{"role": "user", "content": "What is 2 + 2?"}, {"role": "assistant", "content": "The answer is 4."}], False),
]


def cases(templates):
    for path in templates:
        for messages, opening in SHAPES:
            case = {"name": path.name, "template": path.read_bytes().decode(), "messages": messages, "opening": opening}
            try:
                texts, _ = utils.render_jinja_template(
                    [messages], chat_template=case["template"], add_generation_prompt=opening, **MARKS
                )
                yield {**case, "text": texts[0]}
            except Exception as error:  # noqa: BLE001 - what a template refuses is a result, too
                yield {**case, "refused": str(error)}


if __name__ == "__main__":
    if sys.argv[2:]:
        folder = Path(sys.argv[2])
    else:
        import trl

        folder = Path(trl.__file__).parent / "chat_templates"
    found = list(cases(sorted(folder.glob("*.jinja"))))
    Path(sys.argv[1]).write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n")
