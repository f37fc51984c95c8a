"""Golden values of the chat templates: what transformers makes of them.

    python integrations/golden/chat_template.py FILE             the templates below, rendered, as JSON
    python integrations/golden/chat_template.py FILE FOLDER      every *.jinja of a folder, rendered, to compare with ours

Each case is `transformers.utils.chat_template_utils.render_jinja_template([messages], chat_template=...,
add_generation_prompt=..., bos_token=..., eos_token=...)`; run with transformers 5.18.
"""
import json
import sys
from pathlib import Path

from transformers.utils.chat_template_utils import render_jinja_template

MARKS = {"bos_token": "<bos>", "eos_token": "<eos>", "pad_token": "<pad>", "unk_token": "<unk>"}
CONVERSATIONS = [
    [{"role": "user", "content": "  Solve this.\n2+2? "}],
    [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Say {{x}} and 'y'"}],
    [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "<reasoning>\nA\n</reasoning>\n<answer>\n4\n</answer>"}],
    [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "<think>hm</think> A"}, {"role": "user", "content": "and?"}],
]
TEMPLATES = {
    "turns": """{% for m in messages %}
  {% if loop.first %}
{{ bos_token }}
  {% endif %}
    {#- a note -#}
<|{{ m.role }}|>
{{ m['content'] | trim }}{{ eos_token }}
{% endfor %}
{% if add_generation_prompt %}
<|assistant|>
{% endif %}
""",
    "default system": """{%- set given = messages | selectattr('role', 'equalto', 'system') | list | length > 0 -%}
{%- if not given -%}{{- '<s>None given. ' -}}{%- if tools is none -%}{{- '<tools></tools>\\n' -}}{%- endif -%}{%- endif -%}
{%- for message in messages -%}
  {{- '<' + message.role + '>\\n' -}}
  {%- if message.get('content', none) is not none -%}{{- message['content'] -}}{%- endif -%}
  {%- if not loop.last -%}{{- '<end>\\n' -}}{%- elif message.role == 'assistant' -%}{{- eos_token -}}{%- endif -%}
  {%- if loop.last and add_generation_prompt -%}{{- '<assistant>\\n' -}}{%- endif -%}
{%- endfor -%}""",
    "thinking": """{%- set ns = namespace(last=messages|length - 1, open=true) %}
{%- for m in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.open and m.role == "user" and not(m.content.startswith('<tool>') and m.content.endswith('</tool>')) %}
        {%- set ns.open = false %}
        {%- set ns.last = index %}
    {%- endif %}
{%- endfor %}
last={{ ns.last }}
{%- for m in messages %}
    {%- set said = m.content %}
    {%- if m.role == 'assistant' and '</think>' in said %}
        {%- set thought = said.split('</think>')[0].split('<think>')[-1].strip('\\n') %}
        {%- set said = said.split('</think>')[-1].lstrip() %}
    {%- endif %}
    {{- '\\n[' ~ m.role|upper ~ '] ' ~ (thought ~ ' / ' if thought is defined and thought else '') ~ said }}
{%- endfor %}""",
    "macros": """{%- macro shown(text, before='- ', after='') -%}{{ before }}{{ text }}{{ after }}{%- endmacro -%}
{%- for role, group in {'user': 1, 'assistant': [2, 'x', true, none]}.items() %}
{{ shown(role, after=': ') }}{{ group }}
{%- endfor %}
{%- for m in messages if m.role != 'system' %}{{ shown(m.content | replace('Q', 'R')) }}{% if not loop.last %}, {% endif %}{% else %}nobody{% endfor %}
{{ messages | map(attribute='role') | join('+') }} {{ messages[0] | tojson }} {{ {'a': {'b': [1, 'ü']}} | tojson(indent=2) }}""",
    "arithmetic": """{{ 7 // 2 }} {{ 7 % 3 }} {{ -7 // 2 }} {{ 2 + 3 * 4 - 1 }} {{ 2 ** 3 }} {{ 1 < 2 and 2 <= 2 or false }} {{ not 1 == 2 }}
{{ 'abc'[1:] }} {{ 'abc'[-1] }} {{ [1, 2, 3, 4][1:3] }} {{ [1, 2, 3][::-1] }} {{ 'a' in 'cat' }} {{ 3 not in [1, 2] }} {{ (1, 2) | last }}
{{ missing }}|{{ missing | default('none') }}|{{ '' | default('x', true) }}|{{ missing is defined }}|{{ 4 is divisibleby 2 }}|{{ 'x' is string and 1 is not string }}
{% set x %}captured {{ 1 + 1 }}{% endset %}{{ x | upper }} {{ range(3) | list }} {{ 'a b  c'.split() }} {{ "it's" }} {{ ["it's", 'n\\n'] }}
{% for i in range(5) %}{% if i == 1 %}{% continue %}{% endif %}{% if i == 3 %}{% break %}{% endif %}{{ i }}{% endfor %}
{% raw %}{{ kept }} {% as it is %}{% endraw %} {% generation %}learned{% endgeneration %}""",
    "white space": "  {%- if true %}  \n   a  {{- 'b' -}}  c\n   {%+ if true %} d {% endif +%}\n   {% endif -%}   \n e\n\n{# gone #}\n  f {% set y = 1 %}\ng\n",
    "refuses": "{{ raise_exception('only one message') if messages | length > 1 }}ok",
}


def cases(templates):
    for name, template in templates.items():
        for messages in CONVERSATIONS:
            for opening in (True, False):
                case = {"name": name, "template": template, "messages": messages, "opening": opening}
                try:
                    rendered, _ = render_jinja_template(
                        [messages], chat_template=template, add_generation_prompt=opening, **MARKS
                    )
                    yield {**case, "text": rendered[0]}
                except Exception as error:  # noqa: BLE001 - what a template refuses is a result, too
                    yield {**case, "refused": str(error)}


if __name__ == "__main__":
    templates = {path.name: path.read_text() for path in sorted(Path(sys.argv[2]).glob("*.jinja"))} if sys.argv[2:] else TEMPLATES
    Path(sys.argv[1]).write_text(json.dumps(list(cases(templates)), ensure_ascii=False, indent=1) + "\n")
