// Chat templates: what goes in comes out as transformers would have it, the same on every day, and nothing is left out in silence.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { DataError } from "../../src/base/errors.ts";
import { loadChatForm } from "../../src/engine/chat-template/chat-form.ts";
import { compileTemplate, type Message } from "../../src/engine/chat-template/template.ts";
import { loadTokenizer } from "../../src/engine/tokenizer.ts";
import { trainBpeTokenizer } from "./byte-pair-tokenizer.ts";

const marks = { bos_token: "<bos>", eos_token: "<eos>", pad_token: "<pad>", unk_token: "<unk>" };
const rendered = (template: string, messages: readonly Message[] = [], opening = true) =>
  compileTemplate(template, marks)(messages, opening);
const user = (content: string): Message => ({ role: "user", content });

describe("a chat template", () => {
  const turns =
    "{{ bos_token }}{% for m in messages %}<{{ m.role }}>{{ m['content'] | trim }}{{ eos_token }}\n{% endfor %}" +
    "{%- if add_generation_prompt %}<assistant>{% endif %}";

  it("frames what is said", () => {
    const said = [{ role: "system", content: "Be brief." } as const, user(" 2+2?\n")];
    expect(rendered(turns, said)).toBe("<bos><system>Be brief.<eos>\n<user>2+2?<eos>\n<assistant>");
    expect(rendered(turns, said, false)).toBe("<bos><system>Be brief.<eos>\n<user>2+2?<eos>\n");
  });

  it("reads line ends as Jinja does", () => {
    expect(rendered("{% if true %}\r\na\r\n{% endif %}\r\nb")).toBe(rendered("{% if true %}\na\n{% endif %}\nb"));
  });

  it("is told the same date on every day, the one that Llama's templates fall back on", () => {
    expect(rendered("{{ strftime_now('%Y-%m-%d, %d %b %Y, %A %d %B') }}")).toBe(
      "2024-07-26, 26 Jul 2024, Friday 26 July",
    );
  });

  it("that leaves out what is said is refused", () => {
    const without = "{% for m in messages if m.role != 'system' %}{{ m.content }}{% endfor %}";
    expect(rendered(without, [user("Hello")])).toBe("Hello");
    const said = [{ role: "system", content: "Be brief." } as const, user("Hello")];
    expect(() => rendered(without, said)).toThrow(/leaves out what the system says/);
    expect(() => rendered("{{ messages[0].content[:3] }}", [user("Hello")])).toThrow(/leaves out what the user says/);
  });

  it("may refuse, and what it cannot do is named", () => {
    expect(() => rendered("{{ raise_exception('only one message') }}")).toThrow(
      /refuses these messages: only one message/,
    );
    for (const template of ["{{ 'a' | shout }}", "{{ 1 is prime }}", "{% if true %}", "{{ a b }}", "{{ 'open }}"])
      expect(() => rendered(template), template).toThrow(DataError);
  });

  it("stops where its loops would not", () => {
    const loops = `${"{% for a in range(30000) %}".repeat(3)}x${"{% endfor %}".repeat(3)}`;
    expect(() => rendered(loops)).toThrow(/the chat template cannot be used: .*timed out/);
    expect(() => rendered("{{ range(1000000000) }}")).toThrow(/a range of 1000000000/);
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
          expect(typeof rendered(parts.join(" "))).toBe("string");
        } catch (error) {
          expect(error).toBeInstanceOf(DataError);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("puts the messages' own braces into the text unread", () => {
    fc.assert(
      fc.property(fc.string(), (content) => {
        expect(rendered("<{{ messages[0].content }}>", [user(content)])).toBe(`<${content}>`);
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

type Case = { name: string; template: string; messages: Message[]; opening: boolean; text?: string; refused?: string };

const python = process.env.REPERTOIRE_PYTHON ?? "python3";
const templates = process.env.REPERTOIRE_CHAT_TEMPLATES;
const packages = templates === undefined ? "import transformers, jinja2, trl" : "import transformers, jinja2";
const missing = spawnSync(python, ["-c", packages], { stdio: "ignore" }).status !== 0;

/** They hand pictures over as lists; here messages are text. */
const ofPictures = /^(idefics|llava)/;

describe.skipIf(missing)(
  "templates of real models (REPERTOIRE_PYTHON with transformers and TRL, whose collection is read; or *.jinja in REPERTOIRE_CHAT_TEMPLATES)",
  () => {
    it("are rendered as transformers renders them", () => {
      const out = join(mkdtempSync(join(tmpdir(), "chat-golden-")), "golden.json");
      const script = join(import.meta.dirname, "../../integrations/golden/chat_template.py");
      const made = spawnSync(python, [script, out, ...(templates === undefined ? [] : [templates])], {
        encoding: "utf8",
      });
      expect(made.status, made.stderr).toBe(0);
      const cases = JSON.parse(readFileSync(out, "utf8")) as Case[];
      expect(cases.length).toBeGreaterThan(0);
      for (const { name, template, messages, opening, text } of cases) {
        if (text === undefined) expect(() => rendered(template, messages, opening), name).toThrow(DataError);
        else if (!ofPictures.test(name)) expect(rendered(template, messages, opening), name).toBe(text);
      }
    });
  },
);
