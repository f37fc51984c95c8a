import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { DataError } from "../../src/base/errors.ts";
import { trainBpeTokenizer } from "../../src/engine/bpe-training.ts";
import { loadChatForm } from "../../src/engine/chat-template/chat-form.ts";
import { compileTemplate } from "../../src/engine/chat-template/render-template.ts";
import { templateValue } from "../../src/engine/chat-template/template-values.ts";
import { loadTokenizer } from "../../src/engine/tokenizer.ts";

type Case = { name: string; template: string; messages: object[]; opening: boolean; text?: string; refused?: string };

const marks = { bos_token: "<bos>", eos_token: "<eos>", pad_token: "<pad>", unk_token: "<unk>" };
const rendered = ({ template, messages, opening }: Pick<Case, "template" | "messages" | "opening">) =>
  compileTemplate(template)({
    ...marks,
    messages: templateValue(messages),
    tools: null,
    documents: null,
    add_generation_prompt: opening,
  });

const doubling = (step: string, start: string) =>
  `{% set ns = namespace(x=${start}) %}{% for a in range(60) %}{% set ns.x = ${step} %}{% endfor %}{{ ns.x }}`;

/** Made by integrations/golden/chat_template.py: transformers' render_jinja_template. */
const golden = JSON.parse(readFileSync(join(import.meta.dirname, "golden/chat-template.json"), "utf8")) as Case[];

describe("a chat template says what transformers makes it say", () => {
  it.each([...new Set(golden.map(({ name }) => name))])("%s", (name) => {
    for (const one of golden.filter((each) => each.name === name)) {
      if (one.refused === undefined) expect(rendered(one)).toBe(one.text);
      else expect(() => rendered(one)).toThrow(/refuses these messages: only one message/);
    }
  });

  it.each([
    ["loops within loops", `${"{% for a in range(3000) %}".repeat(3)}x${"{% endfor %}".repeat(3)}`, /does not end/],
    ["a macro that calls itself", "{% macro f(x) %}{{ f(x) }}{% endmacro %}{{ f(1) }}", /too deep/],
    ["brackets without end", `{{ ${"(".repeat(50_000)}1${")".repeat(50_000)} }}`, /too deep/],
    ["a text that doubles", doubling("ns.x ~ ns.x", "'aaaaaaaa'"), /more than 8 MiB/],
    ["a text that replaces itself", doubling("ns.x.replace('a', 'aa')", "'a'"), /more than 8 MiB/],
    ["a list that doubles", doubling("ns.x + ns.x", "[1]"), /does not end/],
    ["every item compared with every other", "{{ range(100000) | unique | length }}", /does not end/],
    ["items looked for one by one", "{% for a in range(99999) %}{{ -1 in range(99999) }}{% endfor %}", /does not end/],
    ["a slice that stands still", "{{ 'abc'[::0] }}", /step of 0/],
  ])("stops at %s", (_, template, message) => {
    const before = process.cpuUsage();
    let failure: unknown;
    try {
      rendered({ template, messages: [], opening: true });
    } catch (error) {
      failure = error;
    }
    const { user, system } = process.cpuUsage(before);
    expect(failure).toBeInstanceOf(DataError);
    expect((failure as DataError).message).toMatch(message);
    expect((user + system) / 1e6).toBeLessThan(30);
  });

  it("has steps enough for a conversation of a thousand long messages", () => {
    const messages = Array.from({ length: 1000 }, (_, i) => ({
      role: i % 2 ? "assistant" : "user",
      content: "word ".repeat(500),
    }));
    const template = "{% for m in messages %}<{{ m.role }}>{{ m['content'] | trim }}{{ '\\n' }}{% endfor %}";
    expect(rendered({ template, messages, opening: true }).length).toBeGreaterThan(2_400_000);
  });

  it("names what it does not know", () => {
    const told = (template: string) => () => rendered({ template, messages: [], opening: true });
    expect(told("{{ 'a' | shout }}")).toThrow(/unknown filter in the chat template "shout"/);
    expect(told("{{ 1 is prime }}")).toThrow(/unknown test in the chat template "prime"/);
    expect(told("{% include 'x' %}")).toThrow(/uses {% include %}, which is not supported/);
    expect(told("{{ strftime_now('%Y') }}")).toThrow(/calls strftime_now, which is not there/);
    expect(told("{% if true %}")).toThrow(/ends without elif or else or endif/);
    expect(told("{{ a b }}")).toThrow(/"b" where it should not: a b/);
    expect(told("{{ 'open }}")).toThrow(/cannot be read near/);
    expect(told("{{ range(1000000000) }}")).toThrow(/a range of 1000000000/);
  });

  it("text without tags stays as it is but for its last line break", () => {
    const plain = fc.string({ unit: "grapheme" }).filter((text) => !/\{[{%#]|\r/.test(text));
    fc.assert(
      fc.property(plain, (text) => {
        expect(rendered({ template: text, messages: [], opening: false })).toBe(text.replace(/\n$/, ""));
      }),
    );
  });

  it("any heap of pieces is rendered or refused with a reason, never worse", () => {
    const pieces = fc.constantFrom(
      ...[
        "{{",
        "}}",
        "{%",
        "%}",
        "{%-",
        "-%}",
        "{#",
        "#}",
        "if",
        "else",
        "endif",
        "for",
        "x",
        "in",
        "endfor",
        "set",
        "=",
      ],
      ...[
        "messages",
        "'a'",
        "1",
        "|",
        "upper",
        "is",
        "defined",
        "(",
        ")",
        "[",
        "]",
        ":",
        ".",
        ",",
        "\n",
        " ",
        "not",
        "and",
      ],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        try {
          expect(typeof rendered({ template: parts.join(" "), messages: [], opening: true })).toBe("string");
        } catch (error) {
          expect(error).toBeInstanceOf(DataError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("puts the messages' own braces into the text unread", () => {
    fc.assert(
      fc.property(fc.string(), (content) => {
        const messages = [{ role: "user", content }];
        expect(rendered({ template: "<{{ messages[0].content }}>", messages, opening: true })).toBe(`<${content}>`);
      }),
    );
  });
});

describe("how a model is spoken to", () => {
  const root = mkdtempSync(join(tmpdir(), "chat-form-"));
  afterAll(() => rmSync(root, { recursive: true }));
  const specials = ["<|end|>", "<|start|>", "<|stop|>"];
  const tokenizer = trainBpeTokenizer(["What is 2 + 2? The answer is 4. user assistant"], {
    vocabularySize: 300,
    specialTokens: specials,
  });
  const [end, start, stop] = specials.map((mark) => tokenizer.encode(mark)[0]);
  const folder = (name: string, files: Record<string, string>) => {
    const path = mkdtempSync(join(root, name));
    for (const [file, content] of Object.entries(files)) writeFileSync(join(path, file), content);
    return path;
  };
  const template =
    "{% for m in messages %}{{ '<|start|>' + m.role + ' ' + m.content }}{{ eos_token if loop.last else '<|stop|>\n' }}{% endfor %}" +
    "{% if add_generation_prompt %}{{ '<|start|>assistant ' }}{% endif %}";
  const config = { eos_token: "<|end|>" };

  it("the template of the tokenizer's config frames the prompt; its ending is read off it", async () => {
    const own = folder("config", { "tokenizer_config.json": JSON.stringify({ ...config, chat_template: template }) });
    const chat = await loadChatForm(own, tokenizer);
    expect(chat.prompt("What")).toEqual([
      start,
      ...tokenizer.encode("user What"),
      end,
      start,
      ...tokenizer.encode("assistant "),
    ]);
    expect(chat).toMatchObject({ from: "template", ending: [end], stopTokens: [end] });
  });

  it("a file of its own goes first, lists of templates have a default, and the model says where samples stop", async () => {
    const stopping = template.replace("eos_token if loop.last else '<|stop|>\n'", "'<|stop|>\n'");
    const own = folder("file", {
      "tokenizer_config.json": JSON.stringify({ ...config, chat_template: [{ name: "default", template: "no" }] }),
      "chat_template.jinja": stopping,
      "generation_config.json": JSON.stringify({ eos_token_id: [stop, end] }),
    });
    const chat = await loadChatForm(own, tokenizer);
    expect(chat.prompt("What", "is")).toEqual([
      ...[start, ...tokenizer.encode("system is"), stop, ...tokenizer.encode("\n")],
      ...[start, ...tokenizer.encode("user What"), stop, ...tokenizer.encode("\n")],
      ...[start, ...tokenizer.encode("assistant ")],
    ]);
    expect(chat.ending).toEqual([stop]);
    expect([...chat.stopTokens].sort()).toEqual([end, stop].sort());
  });

  it("without a template the prompt stays as it is", async () => {
    const chat = await loadChatForm(folder("plain", { "tokenizer_config.json": JSON.stringify(config) }), tokenizer);
    expect(chat.prompt("What is")).toEqual(tokenizer.encode("What is"));
    expect(chat.prompt("is", "What ")).toEqual(tokenizer.encode("What is"));
    expect(chat).toMatchObject({ from: "plain", ending: [end] });
  });

  it("a template in a file of its own goes wherever the tokenizer goes", async () => {
    const own = folder("carried", {
      "tokenizer.json": JSON.stringify(tokenizer.files.tokenizer),
      "tokenizer_config.json": JSON.stringify(config),
      "chat_template.jinja": template,
    });
    expect((await loadTokenizer(own)).files.config).toEqual({ ...config, chat_template: template });
  });

  it("a template that cannot be used says so at once", async () => {
    const own = folder("silent", { "chat_template.jinja": "{{ messages[0].content }}" });
    await expect(loadChatForm(own, tokenizer)).rejects.toThrow(/leaves out what the assistant says/);
  });
});

const python = process.env.REPERTOIRE_PYTHON ?? "python3";
const templates = process.env.REPERTOIRE_CHAT_TEMPLATES;
describe.skipIf(templates === undefined)(
  "templates of real models (set REPERTOIRE_CHAT_TEMPLATES to a folder of *.jinja, REPERTOIRE_PYTHON to one with transformers)",
  () => {
    it("are rendered as transformers renders them, unless they ask for the date", () => {
      const out = join(mkdtempSync(join(tmpdir(), "chat-golden-")), "golden.json");
      const script = join(import.meta.dirname, "../../integrations/golden/chat_template.py");
      expect(spawnSync(python, [script, out, templates!]).status).toBe(0);
      for (const one of JSON.parse(readFileSync(out, "utf8")) as Case[]) {
        if (one.template.includes("strftime_now")) continue;
        if (one.refused === undefined) expect(rendered(one), one.name).toBe(one.text);
        else expect(() => rendered(one), one.name).toThrow(DataError);
      }
    });
  },
);
