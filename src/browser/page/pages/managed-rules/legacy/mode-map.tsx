/** A map from groups or rules to modes: its entries, and a line to add one. */
import { useId } from 'react';
import { Button } from '../../../parts/button.tsx';
import { Select } from '../../../parts/forms/field.tsx';
import type { OverrideMode } from './legacy-api.ts';

interface ModeMapProps {
  readonly title: string;
  /** Names by id. */
  readonly names: Readonly<Record<string, string>>;
  readonly modes: readonly OverrideMode[];
  readonly value: Readonly<Record<string, OverrideMode>>;
  readonly onChange: (value: Readonly<Record<string, OverrideMode>>) => void;
}

export function ModeMap({ title, names, modes, value, onChange }: ModeMapProps) {
  const titleId = useId();
  const left = Object.fromEntries(Object.entries(names).filter(([id]) => value[id] === undefined));
  return (
    <section className="stack-close" aria-labelledby={titleId}>
      <h3 id={titleId}>{title}</h3>
      {Object.entries(value).map(([id, mode]) => {
        const name = names[id] ?? id;
        const { [id]: _, ...others } = value;
        return (
          <div key={id} className="row">
            <span className="grow">{name}</span>
            <Select
              className="input-small"
              aria-label={`Mode of ${name}`}
              options={modes}
              value={mode}
              onChange={(chosen) => onChange({ ...value, [id]: chosen })}
            />
            <Button look="quiet" aria-label={`Remove ${name}`} onClick={() => onChange(others)}>
              Remove
            </Button>
          </div>
        );
      })}
      {Object.keys(left).length > 0 && (
        <Select
          aria-label={`Add to ${title.toLowerCase()}`}
          options={left}
          value=""
          onChange={(id) => onChange({ ...value, [id]: 'disable' })}
        >
          <option value="" disabled>
            Add…
          </option>
        </Select>
      )}
    </section>
  );
}
