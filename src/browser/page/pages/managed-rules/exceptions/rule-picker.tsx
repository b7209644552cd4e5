/** Chooses rules of managed rulesets by searching them. */
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { catalogueQuery } from '../../../api/managed/entry-point.ts';
import { useZoneId } from '../../../api/queries.ts';
import { Button } from '../../../parts/button.tsx';
import { TextField } from '../../../parts/forms/field.tsx';
import type { ManagedRuleset } from '../ruleset-api.ts';

type Chosen = Readonly<Record<string, readonly string[]>>;

interface RulePickerProps {
  readonly rulesets: readonly ManagedRuleset[];
  readonly value: Chosen;
  readonly onChange: (value: Chosen) => void;
}

interface Candidate {
  readonly id: string;
  readonly description: string;
  readonly ruleset: Pick<ManagedRuleset, 'id' | 'name'>;
  readonly text: string;
}

/** Further matches are not shown: a more specific search finds them. */
const shownMax = 8;

export function RulePicker({ rulesets, value, onChange }: RulePickerProps) {
  const [text, setText] = useState('');
  const candidates = useCandidates(rulesets);
  const isChosen = ({ id, ruleset }: Candidate): boolean => value[ruleset.id]?.includes(id) ?? false;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = candidates.filter(
    (each) => !isChosen(each) && words.length > 0 && words.every((word) => each.text.includes(word)),
  );
  return (
    <div className="stack">
      <ul className="list" aria-label="Rules that are skipped">
        {candidates.filter(isChosen).map((rule) => (
          <PickRow
            key={rule.id}
            rule={rule}
            action="Remove"
            onPick={() => onChange(withoutRule(value, rule))}
          />
        ))}
      </ul>
      <TextField
        label="Find a rule"
        hint={describeFound(words.length, found.length)}
        type="search"
        value={text}
        onChange={setText}
      />
      <ul className="list" aria-label="Rules that were found">
        {found.slice(0, shownMax).map((rule) => (
          <PickRow key={rule.id} rule={rule} action="Add" onPick={() => onChange(withRule(value, rule))} />
        ))}
      </ul>
    </div>
  );
}

function describeFound(words: number, count: number): string {
  if (words === 0) return 'Words of the description, a tag or an id, such as 942100.';
  if (count <= shownMax) return `${count.toLocaleString()} found`;
  return `${count.toLocaleString()} found, the first ${shownMax} are shown: add a word`;
}

interface PickRowProps {
  readonly rule: Candidate;
  readonly action: string;
  readonly onPick: () => void;
}

function PickRow({ rule: { description, ruleset }, action, onPick }: PickRowProps) {
  return (
    <li className="row">
      <div className="grow">
        <p>{description}</p>
        <p className="soft">{ruleset.name}</p>
      </div>
      <Button look="quiet" aria-label={`${action} ${description}`} onClick={onPick}>
        {action}
      </Button>
    </li>
  );
}

function useCandidates(rulesets: readonly ManagedRuleset[]): readonly Candidate[] {
  const zoneId = useZoneId();
  const catalogues = useQueries({ queries: rulesets.map(({ id }) => catalogueQuery(zoneId, id)) });
  return catalogues.flatMap(({ data }) =>
    (data?.rules ?? []).map(({ id, description = '', categories = [] }) => ({
      id,
      description,
      ruleset: data!,
      text: `${description} ${categories.join(' ')} ${id}`.toLowerCase(),
    })),
  );
}

function withRule(value: Chosen, { id, ruleset }: Candidate): Chosen {
  return { ...value, [ruleset.id]: [...(value[ruleset.id] ?? []), id] };
}

function withoutRule(value: Chosen, { id, ruleset }: Candidate): Chosen {
  const left = (value[ruleset.id] ?? []).filter((each) => each !== id);
  const others = Object.entries(value).filter(([key]) => key !== ruleset.id);
  return Object.fromEntries(left.length === 0 ? others : [...others, [ruleset.id, left]]);
}
