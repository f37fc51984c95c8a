// Fields of filters: each with its label, each writing straight into the address.
import { type ReactNode, useEffect, useId, useRef, useState } from "react";

type Option = { readonly value: string; readonly name: string };

export function Choice({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <span className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {!options.some((option) => option.value === value) && <option value={value}>{value}</option>}
        {options.map(({ value, name }) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
}

/** Tells what was typed once typing pauses; a value changed from elsewhere replaces what stands there. */
export function TextField({
  label,
  value,
  onChange,
  type = "search",
  placeholder,
  pause = 200,
  shortcut,
  spoken,
  list,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: "search" | "number" | "text";
  readonly placeholder?: string;
  readonly pause?: number;
  /** Marks the field that `/` goes to. */
  readonly shortcut?: boolean;
  /** What the label leaves to those who see what stands beside it. */
  readonly spoken?: string;
  /** The id of a list of suggestions. */
  readonly list?: string;
}) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const told = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);
  const tell = (next: string) => {
    clearTimeout(timer.current);
    if (next === told.current) return;
    told.current = next;
    onChange(next);
  };
  const typeOn = (next: string) => {
    setTyped(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => tell(next), pause);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <span className={`field field-${type}`}>
      {label !== "" && <label htmlFor={id}>{label}</label>}
      <input
        id={id}
        type={type}
        min={type === "number" ? 0 : undefined}
        value={typed}
        placeholder={placeholder}
        data-search={shortcut}
        aria-label={spoken}
        list={list}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => typeOn(event.target.value)}
        onBlur={() => tell(typed)}
        onKeyDown={(event) => {
          if (event.key === "Enter") tell(typed);
          if (event.key === "Escape") event.currentTarget.blur();
        }}
      />
    </span>
  );
}

/** The field that `/` goes to, if the view has one. */
export function focusSearch(): void {
  document.querySelector<HTMLInputElement>("input[data-search]")?.select();
}

export function Check({
  checked,
  onChange,
  children,
}: {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}) {
  return (
    <label className="inline check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      <span className="inline">{children}</span>
    </label>
  );
}
