// Benchmarks by name: where they lie on the Hugging Face hub, how their files and columns are called, how they are asked.
import { unknownName } from "../../base/errors.ts";
import { type Columns, type Presentation, usualColumns } from "./columns.ts";

export type Benchmark = {
  readonly name: string;
  readonly title: string;
  readonly dataset: string;
  /** Which files of the repository belong to it. */
  readonly file: RegExp;
  /** Which files of a local folder do. On the hub the repository's name may say what the file's does not. */
  readonly localFile: RegExp;
  readonly columns: Columns;
  readonly presentation: Presentation;
  readonly license: string;
};

export const boxedPrompt = "{problem}\n\nPlease reason step by step, and put your final answer within \\boxed{}.";
export const boxedPromptChinese = "{problem}\n\n请逐步推理，并将最终答案放在 \\boxed{} 中。";

const english: Presentation = { prompt: boxedPrompt, roundingInText: false };
const chinese: Presentation = { prompt: boxedPromptChinese, roundingInText: false };
/** Generated problems whose gold answers are floats that the problem says how to round. */
const rounded: Presentation = { prompt: boxedPrompt, roundingInText: true };

const ending = "\\.(jsonl|json|parquet)$";

function olymMath(language: "en" | "zh", tier: "easy" | "hard"): Benchmark {
  return {
    name: `olymmath-${language}-${tier}`,
    title: `OlymMATH ${language.toUpperCase()} ${tier}`,
    dataset: "RUC-AIBOX/OlymMATH",
    file: new RegExp(`${language}-${tier}.*${ending}`, "i"),
    localFile: new RegExp(`olymmath.*${language}-${tier}.*${ending}`, "i"),
    columns: { problem: "problem", answer: "answer", id: ["unique_id", "id"], subject: "subject" },
    presentation: language === "en" ? english : chinese,
    license: "MIT",
  };
}

function mathArena(competition: string, title: string, local: string = competition): Benchmark {
  return {
    name: competition.replaceAll("_", "-"),
    title,
    dataset: `MathArena/${competition}`,
    file: new RegExp(ending, "i"),
    localFile: new RegExp(`${local}${ending}`, "i"),
    columns: { ...usualColumns, id: ["problem_idx", "id"], subject: "problem_type" },
    presentation: english,
    license: "CC BY-NC-SA 4.0",
  };
}

function omega(setting: "explorative" | "compositional" | "transformative", split: string): Benchmark {
  return {
    name: `omega-${setting}${split === "test_in" ? "-in" : ""}`,
    title: `OMEGA ${setting} (${split})`,
    dataset: `allenai/omega-${setting}`,
    file: new RegExp(`(^|[/_-])${split}[^/]*${ending}`, "i"),
    localFile: new RegExp(`omega.?${setting}.*[/_-]${split}[^/]*${ending}`, "i"),
    columns: {
      problem: ["messages.0.content", "question", "problem"],
      answer: ["ground_truth", "answer"],
      subject: ["setting_key", "type"],
    },
    presentation: rounded,
    license: "MIT",
  };
}

export const benchmarks: readonly Benchmark[] = [
  olymMath("en", "hard"),
  olymMath("en", "easy"),
  olymMath("zh", "hard"),
  olymMath("zh", "easy"),
  {
    name: "aime-2024",
    title: "AIME 2024",
    dataset: "HuggingFaceH4/aime_2024",
    file: new RegExp(ending, "i"),
    localFile: new RegExp(`aime_?(20)?24${ending}`, "i"),
    columns: { ...usualColumns, id: "id" },
    presentation: english,
    license: "Apache-2.0",
  },
  mathArena("aime_2025", "AIME 2025", "aime_?(20)?25"),
  mathArena("hmmt_feb_2023", "HMMT February 2023"),
  mathArena("hmmt_feb_2024", "HMMT February 2024"),
  mathArena("hmmt_feb_2025", "HMMT February 2025"),
  mathArena("hmmt_nov_2025", "HMMT November 2025"),
  mathArena("hmmt_feb_2026", "HMMT February 2026"),
  omega("explorative", "test_out"),
  omega("explorative", "test_in"),
  omega("compositional", "test"),
  omega("transformative", "test"),
];

export function benchmarkNamed(name: string): Benchmark {
  const found = benchmarks.find((benchmark) => benchmark.name === name);
  if (found === undefined) {
    throw unknownName(
      "benchmark",
      name,
      benchmarks.map((benchmark) => benchmark.name),
    );
  }
  return found;
}
