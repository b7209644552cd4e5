/** A map from groups or rules to modes: what is in it, and a line to add to it. */
import { useId } from 'react';
import { Button } from '../../../parts/button.tsx';
import type { OverrideMode } from './legacy-api.ts';

interface Choice {
  readonly id: string;
  readonly name: string;
}

interface ModeMapProps {
  readonly title: string;
  readonly choices: readonly Choice[];
  readonly modes: readonly OverrideMode[];
  readonly value: Readonly<Record<string, OverrideMode>>;
  readonly onChange: (value: Readonly<Record<string, OverrideMode>>) => void;
}

export function ModeMap({ title, choices, modes, value, onChange }: ModeMapProps) {
  const titleId = useId();
  const left = choices.filter(({ id }) => value[id] === undefined);
  return (
    <section className="managed-rules-map" aria-labelledby={titleId}>
      <h3 id={titleId}>{title}</h3>
      {Object.entries(value).map(([id, mode]) => {
        const name = choices.find((choice) => choice.id === id)?.name ?? id;
        return (
          <div key={id} className="managed-rules-row">
            <span className="managed-rules-what">{name}</span>
            <select
              className="input input-small"
              aria-label={`Mode of ${name}`}
              value={mode}
              onChange={({ target }) => onChange({ ...value, [id]: target.value as OverrideMode })}
            >
              {modes.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
            <Button
              look="quiet"
              aria-label={`Remove ${name}`}
              onClick={() =>
                onChange(Object.fromEntries(Object.entries(value).filter(([key]) => key !== id)))
              }
            >
              Remove
            </Button>
          </div>
        );
      })}
      {left.length > 0 && (
        <select
          className="input"
          aria-label={`Add to ${title.toLowerCase()}`}
          value=""
          onChange={({ target }) => onChange({ ...value, [target.value]: 'disable' })}
        >
          <option value="" disabled>
            Add…
          </option>
          {left.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </section>
  );
}
