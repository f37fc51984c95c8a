// The filters of the rollouts page: what can be chosen, with how many of the matching rollouts have it.
import { useId } from "react";
import { oneLine } from "../../../drawing/safe-text.ts";
import { categoryMeasure } from "../../../traces/categories.ts";
import { alphabetOf } from "../../../traces/sequence.ts";
import type { RolloutsReply, Source, TraceNote } from "../../api.ts";
import type { Query, QueryChange } from "../address.ts";
import { useLabels } from "../labels.tsx";
import { compactNumber, wholeNumber } from "../number-text.ts";
import { Checkpoint } from "../parts/checkpoint.tsx";
import { Check, Choice, TextField } from "../parts/fields.tsx";
import { PrimitiveMark, VerdictMark } from "../parts/marks.tsx";
import { isFiltered, type ListFilter, listOf, listText, noFilter } from "../rollout-filter.ts";
import { useMedia } from "../use-media.ts";

const verdicts = ["correct", "wrong", "unreadable", "undecided", "ungraded"] as const;
const states = ["complete", "truncated", "failed"] as const;

type FiltersProps = {
  readonly query: Query;
  readonly onChange: (part: QueryChange) => void;
  readonly facets?: RolloutsReply["facets"];
  readonly sources: readonly Source[];
  /** What people wrote on the traces of the run. */
  readonly notes: readonly TraceNote[];
};

export function RolloutFilters({ query, onChange, facets, sources, notes }: FiltersProps) {
  const motifNames = useId();
  const { all, taxonomy } = useLabels();
  const { letters, categories } = alphabetOf(taxonomy);
  const toggle = (filter: ListFilter, value: string, on: boolean) => {
    const others = listOf(query[filter]).filter((other) => other !== value);
    onChange({ [filter]: listText(on ? [...others, value] : others) });
  };
  const has = (filter: ListFilter, value: string) => listOf(query[filter]).includes(value);
  const steps = sources.some((source) => source.steps !== undefined);
  const wide = useMedia("(min-width: 901px)");
  return (
    <form className="rollout-filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <TextField
        label="search the text"
        value={query.text ?? ""}
        onChange={(text) => onChange({ text })}
        placeholder="/"
        shortcut
      />
      <details className="filter-groups" open={wide}>
        <summary>Filters</summary>
        {sources.length > 1 && (
          <fieldset>
            <legend>checkpoint</legend>
            {sources.map(({ id, rollouts }) => (
              <Check key={id} checked={has("source", id)} onChange={(on) => toggle("source", id, on)}>
                <Checkpoint of={id} />
                <Count of={facets === undefined ? rollouts : (facets.sources[id] ?? 0)} />
              </Check>
            ))}
          </fieldset>
        )}
        <fieldset>
          <legend>verdict</legend>
          {verdicts
            .filter((verdict) => has("verdict", verdict) || facets === undefined || facets.verdicts[verdict] > 0)
            .map((verdict) => (
              <Check key={verdict} checked={has("verdict", verdict)} onChange={(on) => toggle("verdict", verdict, on)}>
                <VerdictMark of={verdict} />
                <Count of={facets?.verdicts[verdict]} />
              </Check>
            ))}
        </fieldset>
        <NoteFilter notes={notes} has={has} toggle={toggle} chosenTags={listOf(query.tag)} />
        <fieldset>
          <legend>ended</legend>
          {states
            .filter((state) => has("state", state) || facets === undefined || facets.states[state] > 0)
            .map((state) => (
              <Check key={state} checked={has("state", state)} onChange={(on) => toggle("state", state, on)}>
                {state}
                <Count of={facets?.states[state]} />
              </Check>
            ))}
        </fieldset>
        <fieldset className="primitive-filter">
          <legend>primitives</legend>
          {all.map(({ name: primitive }) => (
            <PrimitiveFilter
              key={primitive}
              primitive={primitive}
              wanted={has("primitive", primitive) ? "with" : has("without", primitive) ? "without" : "any"}
              count={facets?.primitives[primitive]}
              onChange={(wanted) => {
                const others = (filter: ListFilter) => listOf(query[filter]).filter((other) => other !== primitive);
                onChange({
                  primitive: listText([...others("primitive"), ...(wanted === "with" ? [primitive] : [])]),
                  without: listText([...others("without"), ...(wanted === "without" ? [primitive] : [])]),
                });
              }}
            />
          ))}
        </fieldset>
        <TextField
          label="motif"
          value={query.motif ?? ""}
          onChange={(motif) => onChange({ motif: motif.trim() })}
          placeholder={`${letters.slice(0, 3)} or ${taxonomy.labels[0].name}→${taxonomy.labels[1].name}`}
          list={motifNames}
        />
        <datalist id={motifNames}>
          {Object.keys(taxonomy.motifs).map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {categories.length > 0 && (
          <Choice
            label="category"
            value={query.category ?? ""}
            options={[
              { value: "", name: "any" },
              ...categories.map(categoryMeasure).map((name) => ({ value: name, name })),
            ]}
            onChange={(category) => onChange({ category })}
          />
        )}
        {facets?.rewards !== undefined && <Rewards of={facets.rewards} query={query} onChange={onChange} />}
        <Between name="tokens" low="minTokens" high="maxTokens" query={query} onChange={onChange} />
        <Between name="depth" low="minDepth" high="maxDepth" query={query} onChange={onChange} />
        {steps && <Between name="step" low="minStep" high="maxStep" query={query} onChange={onChange} />}
        {query.problem !== undefined && (
          <Fixed name="problem" value={query.problem} onClear={() => onChange({ problem: undefined })} />
        )}
        {query.set !== undefined && <Fixed name="set" value={query.set} onClear={() => onChange({ set: undefined })} />}
        {query.puzzle !== undefined && (
          <Fixed name="puzzle" value={query.puzzle} onClear={() => onChange({ puzzle: undefined })} />
        )}
        {isFiltered(query) && (
          <button type="button" onClick={() => onChange(noFilter)}>
            Clear the filters
          </button>
        )}
      </details>
    </form>
  );
}

const noteWords = [
  ["bookmark", "bookmarked", ({ bookmarked }: TraceNote) => bookmarked],
  ["note", "with a note", ({ text }: TraceNote) => text !== ""],
] as const;

/** Bookmarks, notes and tags, where there are any. */
function NoteFilter({
  notes,
  has,
  toggle,
  chosenTags,
}: {
  readonly notes: readonly TraceNote[];
  readonly has: (filter: ListFilter, value: string) => boolean;
  readonly toggle: (filter: ListFilter, value: string, on: boolean) => void;
  readonly chosenTags: readonly string[];
}) {
  const tags = [...new Set([...chosenTags, ...notes.flatMap((note) => note.tags)])].sort();
  const kinds = noteWords.filter(([kind, , is]) => has("noted", kind) || notes.some(is));
  if (kinds.length === 0 && tags.length === 0) return null;
  return (
    <fieldset>
      <legend>your notes</legend>
      {kinds.map(([kind, word, is]) => (
        <Check key={kind} checked={has("noted", kind)} onChange={(on) => toggle("noted", kind, on)}>
          {word}
          <Count of={notes.filter(is).length} />
        </Check>
      ))}
      {tags.map((tag) => (
        <Check key={tag} checked={has("tag", tag)} onChange={(on) => toggle("tag", tag, on)}>
          <bdi className="tag">{oneLine(tag)}</bdi>
          <Count of={notes.filter((note) => note.tags.includes(tag)).length} />
        </Check>
      ))}
    </fieldset>
  );
}

function Count({ of }: { readonly of: number | undefined }) {
  return <span className="facet">{of === undefined ? "" : wholeNumber(of)}</span>;
}

type Wanted = "any" | "with" | "without";
const nextWanted: Readonly<Record<Wanted, Wanted>> = { any: "with", with: "without", without: "any" };
const wantedWords: Readonly<Record<Wanted, string>> = {
  any: "may occur",
  with: "must occur",
  without: "must not occur",
};

/** One button with three states: traces with it, without it, or either. */
function PrimitiveFilter({
  primitive,
  wanted,
  count,
  onChange,
}: {
  readonly primitive: string;
  readonly wanted: Wanted;
  readonly count?: number;
  readonly onChange: (wanted: Wanted) => void;
}) {
  return (
    <button
      type="button"
      className={`inline chip chip-${wanted}`}
      title={`${primitive} ${wantedWords[wanted]}`}
      onClick={() => onChange(nextWanted[wanted])}
    >
      <PrimitiveMark of={primitive} long />
      <span className="for-readers"> {wantedWords[wanted]}</span>
      <Count of={count} />
    </button>
  );
}

/** Rewards as bars to click: one leaves its own rollouts, again all. */
function Rewards({
  of: { low, high, counts },
  query,
  onChange,
}: Pick<FiltersProps, "query" | "onChange"> & { readonly of: NonNullable<RolloutsReply["facets"]["rewards"]> }) {
  const most = Math.max(...counts, 1);
  const edge = (at: number) => Number((low + ((high - low) * at) / counts.length).toFixed(9));
  // A reward that lies on an edge is counted above it.
  const below = (at: number) => (at === counts.length ? high : Number((edge(at) - 1e-9).toFixed(9)));
  return (
    <fieldset>
      <legend>reward</legend>
      <div className="histogram">
        {counts.map((count, i) => {
          const [minReward, maxReward] = [String(edge(i)), String(below(i + 1))];
          const chosen = query.minReward === minReward && query.maxReward === maxReward;
          const words = `${compactNumber(edge(i))} to ${compactNumber(edge(i + 1))}: ${wholeNumber(count)}`;
          return (
            <button
              key={minReward}
              type="button"
              aria-pressed={chosen}
              aria-label={`reward ${words}`}
              title={words}
              onClick={() => onChange(chosen ? { minReward: "", maxReward: "" } : { minReward, maxReward })}
            >
              <span style={{ height: `${(count / most) * 100}%` }} />
            </button>
          );
        })}
      </div>
      <p className="between quiet">
        <span>{compactNumber(low)}</span> <span className="number">{compactNumber(high)}</span>
      </p>
    </fieldset>
  );
}

function Between({
  name,
  low,
  high,
  query,
  onChange,
}: {
  readonly name: string;
  readonly low: string;
  readonly high: string;
  readonly query: Query;
  readonly onChange: (part: QueryChange) => void;
}) {
  return (
    <div className="between">
      <TextField
        type="number"
        label={`${name} from`}
        value={query[low] ?? ""}
        onChange={(value) => onChange({ [low]: value })}
      />
      <TextField
        type="number"
        label="to"
        spoken={`${name} to`}
        value={query[high] ?? ""}
        onChange={(value) => onChange({ [high]: value })}
      />
    </div>
  );
}

function Fixed({
  name,
  value,
  onClear,
}: {
  readonly name: string;
  readonly value: string;
  readonly onClear: () => void;
}) {
  return (
    <p className="fixed">
      {name}: <bdi>{oneLine(value)}</bdi>{" "}
      <button type="button" className="plain" onClick={onClear} aria-label={`Any ${name}`}>
        ×
      </button>
    </p>
  );
}
