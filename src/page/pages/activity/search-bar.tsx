/** The search: an expression, a stretch of time, and conditions that were added by clicking. */
import { type SubmitEvent, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { ExpressionField } from '../../parts/expression-editor/expression-editor.tsx';
import { Field, Select } from '../../parts/field.tsx';
import { formatTime } from '../../parts/time.tsx';
import { labelOf } from './fields.ts';
import { type ActivitySearch, parseCondition, type SearchChanges } from './search.ts';

interface SearchBarProps {
  readonly search: ActivitySearch;
  readonly onChange: (changes: SearchChanges) => void;
}

const spans = [
  ['15m', 'Last 15 minutes'],
  ['1h', 'Last hour'],
  ['6h', 'Last 6 hours'],
  ['24h', 'Last 24 hours'],
  ['72h', 'Last 3 days'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
] as const;

export function SearchBar({ search, onChange }: SearchBarProps) {
  const { expression = '' } = search;
  const [{ text, shown }, setTyped] = useState({ text: expression, shown: expression });
  // The address has changed by going back or by a link: what it says replaces what was typed.
  if (shown !== expression) setTyped({ text: expression, shown: expression });
  const apply = (): void => onChange({ expression: text.trim() === '' ? undefined : text.trim() });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    apply();
  };
  return (
    <div className="activity-search">
      <form className="activity-form" onSubmit={submit} role="search">
        <ExpressionField
          label="Requests for which this is true"
          about="events"
          isLow
          value={text}
          onChange={(changed) => setTyped({ text: changed, shown })}
          onEnter={apply}
          placeholder={'http.request.uri.path contains "/login" and ip.src.country eq "DE"'}
        />
        <SpanSelect search={search} onChange={onChange} />
        <Button type="submit" look="primary">
          Search
        </Button>
      </form>
      <Conditions search={search} onChange={onChange} />
    </div>
  );
}

function SpanSelect({ search, onChange }: SearchBarProps) {
  const { since = '', until } = search;
  const isKnown = until === undefined && spans.some(([span]) => span === since);
  return (
    <Field label="Time">
      <Select
        value={isKnown ? since : 'chosen'}
        onChange={(event) => onChange({ since: event.currentTarget.value, until: undefined })}
      >
        {!isKnown && <option value="chosen">{formatRange(since, until)}</option>}
        {spans.map(([span, label]) => (
          <option key={span} value={span}>
            {label}
          </option>
        ))}
      </Select>
    </Field>
  );
}

function formatRange(since: string, until: string | undefined): string {
  return `${formatMoment(since)} – ${until === undefined ? 'now' : formatMoment(until)}`;
}

function formatMoment(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : formatTime(time);
}

const signs: ReadonlyMap<string, string> = new Map(
  Object.entries({
    eq: 'is',
    neq: 'is not',
    in: 'is one of',
    notin: 'is none of',
  }),
);

function Conditions({ search: { where = [] }, onChange }: SearchBarProps) {
  if (where.length === 0) return null;
  return (
    <ul className="activity-conditions" aria-label="Conditions">
      {where.map((text) => {
        const { field, operator, value } = parseCondition(text);
        const words = `${labelOf(field)} ${signs.get(operator) ?? operator} ${value === '' ? '(empty)' : value}`;
        return (
          <li key={text} className="activity-condition">
            <span className="activity-condition-text">{words}</span>
            <button
              type="button"
              aria-label={`Remove the condition: ${words}`}
              onClick={() => onChange({ where: where.filter((each) => each !== text) })}
            >
              ×
            </button>
          </li>
        );
      })}
      <li>
        <Button look="quiet" onClick={() => onChange({ where: undefined })}>
          Remove all
        </Button>
      </li>
    </ul>
  );
}
