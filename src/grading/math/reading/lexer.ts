// Splits the text of an answer, LaTeX or plain, into tokens. Linear in its length; nothing is evaluated.
import { asciiMathematics } from "./characters.ts";
import { commandMark, knownCommand } from "./commands.ts";
import { matchAt } from "./match-at.ts";
import { numeralAt } from "./numerals.ts";
import { punctuationAt } from "./punctuation.ts";
import { type Mark, type Token, Unreadable } from "./tokens.ts";
import { isUnitWord } from "./units.ts";
import {
  functionNamed,
  greekLetters,
  layoutCommands,
  onlyAsCommands,
  silentCommands,
  synonyms,
  textCommands,
} from "./vocabulary.ts";

export const longestAnswer = 12_000;

const letterRun = /[a-zA-Z]+/y;
const otherLetters = /[\p{L}\p{N}]+/uy;
const commandHere = /\\([a-zA-Z]+)\*?/y;
const rowSpacing = /\s*\[\s*-?[\d.]+\s*[a-z]+\s*\]/y;

export function tokensOf(source: string, decimalComma = false): Token[] {
  if (source.length > longestAnswer) throw new Unreadable(`an answer of ${source.length} characters`);
  return new Lexer(asciiMathematics(source), decimalComma).tokens();
}

class Lexer {
  readonly #text: string;
  readonly #decimalComma: boolean;
  readonly #tokens: Token[] = [];
  #at = 0;
  #spaced = false;
  /** Open round, square and set brackets: a comma in there separates. */
  #brackets = 0;
  #environments = 0;
  /** The text doubles its backslashes, as a string that was escaped once too often does. */
  #doubled = false;

  constructor(text: string, decimalComma: boolean) {
    this.#text = text;
    this.#decimalComma = decimalComma;
  }

  tokens(): Token[] {
    while (this.#at < this.#text.length) this.#step();
    this.#push({ type: "end", text: "" });
    return this.#tokens;
  }

  #step(): void {
    const character = this.#text[this.#at];
    if (/\s/.test(character)) {
      this.#spaced = true;
      this.#at++;
    } else if (/[0-9]/.test(character) || (character === "." && /[0-9]/.test(this.#text[this.#at + 1] ?? ""))) {
      this.#number();
    } else if (character === "\\") {
      this.#command();
    } else if (/[a-zA-Z]/.test(character)) {
      const run = matchAt(letterRun, this.#text, this.#at)![0];
      this.#at += run.length;
      this.#word(run);
    } else this.#other();
  }

  #push(mark: Mark, extra: Partial<Token> = {}): void {
    // Braces only group, so that "\frac{1,234}{5}" keeps its thousand.
    if (mark.type === "open" && mark.text !== "{" && mark.text !== "|") this.#brackets++;
    if (mark.type === "close" && mark.text !== "}" && mark.text !== "|")
      this.#brackets = Math.max(0, this.#brackets - 1);
    this.#tokens.push({ ...mark, spaced: this.#spaced, ...extra });
    this.#spaced = false;
  }

  /** A number or a closed bracket came just before, so that a word may be its unit. */
  #behindOperand(): boolean {
    const type = this.#tokens[this.#tokens.length - 1]?.type;
    return (
      type === "number" || type === "close" || type === "text" || this.#tokens[this.#tokens.length - 1]?.text === "pi"
    );
  }

  #number(): void {
    const context = {
      insideBrackets: this.#brackets > 0,
      decimalComma: this.#decimalComma,
      raised: this.#tokens[this.#tokens.length - 1]?.text === "^",
    };
    const numeral = numeralAt(this.#text, this.#at, context);
    if (numeral === undefined) throw new Unreadable("a number too long to read");
    const { value, places, end } = numeral;
    if (/^(?:st|nd|rd|th)(?![a-zA-Z])/.test(this.#text.slice(end, end + 3))) throw new Unreadable("an ordinal");
    this.#push(
      { type: "number", text: this.#text.slice(this.#at, end) },
      places === undefined ? { value } : { value, places },
    );
    this.#at = end;
  }

  #other(): void {
    const found = punctuationAt(this.#text, this.#at);
    if (found !== undefined) {
      this.#at += found.width;
      if (found.mark !== "skip") this.#push(found.mark);
      return;
    }
    const word = matchAt(otherLetters, this.#text, this.#at)?.[0];
    if (word === undefined)
      throw new Unreadable(`the character "${String.fromCodePoint(this.#text.codePointAt(this.#at)!)}"`);
    this.#at += word.length;
    this.#words(word);
  }

  #command(): void {
    const found = matchAt(commandHere, this.#text, this.#at);
    if (found === null) {
      this.#symbolCommand();
      return;
    }
    this.#at += found[0].length;
    this.#named(found[1]);
  }

  /** A backslash before something that is not a letter: \{, \%, \\, and spacing such as \, */
  #symbolCommand(): void {
    const character = this.#text[this.#at + 1];
    this.#at += 2;
    if (character === "{") this.#push({ type: "open", text: "\\{" });
    else if (character === "}") this.#push({ type: "close", text: "\\}" });
    else if (character === "|") this.#push({ type: "bar", text: "||" });
    else if (character === "%") this.#push({ type: "operator", text: "%" });
    else if (character === "$") this.#push({ type: "text", text: "$" });
    else if (character === "\\") this.#doubleBackslash();
    else if (/[,;:>\s/-]/.test(character ?? " ")) this.#spaced = true;
    else if (!/[!()[\]]/.test(character)) throw new Unreadable(`the command \\${character}`);
  }

  #doubleBackslash(): void {
    const following = matchAt(letterRun, this.#text, this.#at)?.[0];
    if (following !== undefined && knownCommand(following)) {
      if (following === "begin") this.#doubled = true;
      // In a matrix a row ends here, and the command lost its own backslash.
      else if (this.#environments > 0 && !this.#doubled && following !== "end")
        this.#push({ type: "separator", text: "row" });
      this.#at += following.length;
      this.#named(following);
      return;
    }
    this.#at += matchAt(rowSpacing, this.#text, this.#at)?.[0].length ?? 0;
    this.#push({ type: "separator", text: "row" });
  }

  #named(given: string): void {
    const name = synonyms.get(given) ?? given;
    const mark = commandMark(name);
    if (mark !== undefined) this.#push(mark);
    else if (name === "left" || name === "right" || name === "middle") this.#delimiter(name);
    else if (name === "underline" && /^\s*\{\s*[a-zA-Z]\s*\}/.test(this.#text.slice(this.#at, this.#at + 8)))
      this.#push({ type: "command", text: "underline" });
    else if (silentCommands.has(name)) this.#spaced ||= /space$/.test(name);
    else if (layoutCommands.has(name)) this.#at = this.#group()?.end ?? this.#at;
    else if (textCommands.has(name)) this.#textCommand(name);
    else if (name === "mathbb" || name === "Bbb") this.#numberSet();
    else if (name === "begin" || name === "end") this.#environment(name);
    else if (name === "not") this.#negatedRelation();
    else if (/^q?quad[a-z]/.test(name)) {
      // `\\quadx`, from writers who join lines.
      this.#at -= name.length - name.lastIndexOf("quad") - "quad".length;
      this.#push({ type: "separator", text: "quad" });
    } else throw new Unreadable(`the command \\${name}`);
  }

  /** \left. is nothing; \left| and \right| say which bar opens and which closes. */
  #delimiter(side: "left" | "right" | "middle"): void {
    while (this.#text[this.#at] === " ") this.#at++;
    if (this.#text[this.#at] === ".") this.#at++;
    else if (this.#text[this.#at] === "|") {
      this.#at++;
      this.#push({ type: side === "left" ? "open" : side === "right" ? "close" : "bar", text: "|" });
    }
  }

  /** The content of the brace group that opens here, and where it ends. */
  #group(): { readonly content: string; readonly end: number } | undefined {
    let start = this.#at;
    while (this.#text[start] === " ") start++;
    if (this.#text[start] !== "{") return undefined;
    let level = 0;
    for (let i = start; i < this.#text.length; i++) {
      if (this.#text[i] === "\\") i++;
      else if (this.#text[i] === "{") level++;
      else if (this.#text[i] === "}" && --level === 0) return { content: this.#text.slice(start + 1, i), end: i + 1 };
    }
    return { content: this.#text.slice(start + 1), end: this.#text.length };
  }

  #textCommand(name: string): void {
    const group = this.#group();
    if (group === undefined) return;
    this.#at = group.end;
    if (name === "mathrm" || name === "operatorname" || name === "mathnormal") {
      const word = group.content.replace(/\\[,;:! ]|\s+|~/g, "");
      // 12 \mathrm{~min} is a time, \mathrm{min}\{1, 2\} a function.
      const unit =
        name === "mathrm" && isUnitWord(word) && (this.#behindOperand() || /^(?:~|\\[,;: ]|\s)/.test(group.content));
      if (unit) {
        this.#words(word);
        return;
      }
      const functionName = functionNamed(word);
      if (functionName !== undefined) {
        this.#push({ type: "function", text: word === "lg" ? "lg" : functionName });
        return;
      }
      // An upright letter is a constant or a name, except where a unit would stand.
      if (name === "operatorname" && /^[a-zA-Z]{2,}$/.test(word)) {
        this.#push(word === "cbrt" ? { type: "command", text: "cbrt" } : { type: "name", text: word });
        return;
      }
      const letters = /^[a-zA-Z]+$/.test(word) && !(this.#behindOperand() && /^(?:[mgshlLWNJV]|..+)$/.test(word));
      if (letters) {
        for (const letter of word) this.#push({ type: "name", text: letter });
        return;
      }
    }
    this.#words(group.content);
  }

  /** Words inside \text{…}, or of another script: a connective, a unit, a function's name, or just words. */
  #words(content: string): void {
    const cleaned = content
      .replace(/\\[,;:! ]|~|\$/g, " ")
      .replace(/\s+/g, " ")
      .trim();
    const bare = cleaned.replace(/^[\s,.;:]+|[\s,.;:]+$/g, "");
    const word = bare.toLowerCase();
    if (bare === "") {
      if (/[,;]/.test(cleaned)) this.#push({ type: "separator", text: "," });
      else this.#spaced = true;
    } else if (/^(?:and|和|与|及|以及)$/.test(word)) this.#push({ type: "separator", text: "and" });
    else if (/^(?:or|或|或者)$/.test(word)) this.#push({ type: "separator", text: "or" });
    else if (
      functionNamed(bare) !== undefined &&
      !onlyAsCommands.has(bare) &&
      (bare === "cis" || !this.#behindOperand())
    )
      this.#push({ type: "function", text: functionNamed(bare)! });
    else if (/^(?:percent|percentage|pct|%)$/.test(word)) this.#push({ type: "operator", text: "%" });
    else if (/^(?:degrees?|deg|度)$/.test(word)) this.#push({ type: "operator", text: "degrees" });
    else if (/^[-+]?\$?\.?\d[\d.,\s]*(?:[\p{L}°%²³^/\s]|\d)*$/u.test(bare) && bare.length < 200)
      this.#tokens.push(...tokensOf(bare, this.#decimalComma).filter((token) => token.type !== "end"));
    else this.#push({ type: "text", text: cleaned });
  }

  #numberSet(): void {
    const group = this.#group();
    const letter = group?.content.trim() ?? this.#text.slice(this.#at).trim()[0] ?? "";
    this.#at = group?.end ?? Math.max(this.#at, this.#text.indexOf(letter, this.#at) + 1);
    this.#push(/^[RZNQC]$/.test(letter) ? { type: "command", text: `set:${letter}` } : { type: "name", text: letter });
  }

  #negatedRelation(): void {
    while (this.#text[this.#at] === " ") this.#at++;
    if (this.#text[this.#at] === "=") {
      this.#at++;
      this.#push({ type: "relation", text: "!=" });
    } else if (/^\\in(?![a-zA-Z])/.test(this.#text.slice(this.#at, this.#at + 4))) {
      this.#at += 3;
      this.#push({ type: "relation", text: "notin" });
    } else this.#push({ type: "relation", text: "other" });
  }

  #environment(name: "begin" | "end"): void {
    const group = this.#group();
    this.#at = group?.end ?? this.#at;
    const kind = (group?.content ?? "").replace(/\*$/, "").trim();
    this.#environments += name === "begin" ? 1 : -1;
    this.#brackets = Math.max(0, this.#brackets + (name === "begin" ? 1 : -1));
    // The column specification of an array is layout.
    if (name === "begin" && (kind === "array" || kind === "tabular")) this.#at = this.#group()?.end ?? this.#at;
    this.#push({ type: "command", text: `${name}:${kind}` });
  }

  /** A run of plain letters: a word that mathematics knows, or letters side by side. */
  #word(run: string): void {
    const lower = run.toLowerCase();
    if (lower === "and" || lower === "or") this.#push({ type: "separator", text: lower });
    else if (this.#behindOperand() && this.#wordBehindOperand(run)) return;
    else if (run === "sqrt") this.#push({ type: "command", text: "surd" });
    else if (run === "cbrt") this.#push({ type: "command", text: "cbrt" });
    else if (run === "mod") this.#push({ type: "command", text: "mod" });
    else if (lower === "infinity" || run === "inf" || run === "oo") this.#push({ type: "name", text: "infinity" });
    else if (run === "pi" || run === "Pi") this.#push({ type: "name", text: "pi" });
    else if (!onlyAsCommands.has(run) && functionNamed(run) !== undefined)
      this.#push({ type: "function", text: functionNamed(run)! });
    else if (run.length > 2 && greekLetters.has(run)) this.#push({ type: "name", text: run });
    else this.#letters(run);
  }

  #wordBehindOperand(run: string): boolean {
    const lower = run.toLowerCase();
    const connective = /^(?:and|or)(?=[A-Za-z])/.exec(run)?.[0];
    if (connective !== undefined && !isUnitWord(run)) {
      this.#push({ type: "separator", text: connective });
      this.#word(run.slice(connective.length));
      return true;
    }
    if (/^(?:percent|percentage|pct)$/.test(lower)) this.#push({ type: "operator", text: "%" });
    else if (/^(?:degrees?|deg)$/.test(lower)) this.#push({ type: "operator", text: "degrees" });
    else if (isUnitWord(run) && this.#text[this.#at] !== "(") this.#push({ type: "text", text: run });
    else return false;
    return true;
  }

  /** sinx is sin x; every other row of letters is a product. */
  #letters(run: string): void {
    const prefix = /^(?:arc)?(?:sin|cos|tan|cot|ln|log)(?=[a-zA-Z]{1,2}$)/.exec(run)?.[0];
    if (prefix !== undefined) {
      this.#push({ type: "function", text: functionNamed(prefix)! });
      this.#word(run.slice(prefix.length));
      return;
    }
    for (const letter of run) this.#push({ type: "name", text: letter });
  }
}
