/** The search: an expression, a time range, and conditions that were added by clicking. */
import { Form } from '@base-ui/react/form';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { ExpressionField } from '../../parts/expression-editor/expression-editor.tsx';
import { SelectField } from '../../parts/forms/field.tsx';
import { formatTime } from '../../parts/time.tsx';
import { labelOf } from './fields.ts';
import { type ActivitySearch, parseCondition, type SearchChanges } from './search.ts';

interface SearchBarProps {
  readonly search: ActivitySearch;
  readonly onChange: (changes: SearchChanges) => void;
}

const spans: Readonly<Record<string, string>> = {
  '15m': 'Last 15 minutes',
  '1h': 'Last hour',
  '6h': 'Last 6 hours',
  '24h': 'Last 24 hours',
  '72h': 'Last 3 days',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};

export function SearchBar({ search, onChange }: SearchBarProps) {
  const { expression = '' } = search;
  const [{ text, shown }, setTyped] = useState({ text: expression, shown: expression });
  // If the URL has changed by navigation, it replaces the typed text.
  if (shown !== expression) setTyped({ text: expression, shown: expression });
  const apply = (): void => onChange({ expression: text.trim() === '' ? undefined : text.trim() });
  return (
    <div className="stack-close">
      <Form className="activity-form" onFormSubmit={apply} role="search">
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
      </Form>
      <Conditions search={search} onChange={onChange} />
    </div>
  );
}

function SpanSelect({ search, onChange }: SearchBarProps) {
  const { since = '', until } = search;
  const isKnown = until === undefined && since in spans;
  return (
    <SelectField
      label="Time"
      options={spans}
      value={isKnown ? since : 'chosen'}
      onChange={(span) => onChange({ since: span, until: undefined })}
    >
      {!isKnown && <option value="chosen">{formatRange(since, until)}</option>}
    </SelectField>
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
    <ul className="list row" aria-label="Conditions">
      {where.map((text) => {
        const { field, operator, value } = parseCondition(text);
        const words = `${labelOf(field)} ${signs.get(operator) ?? operator} ${value === '' ? '(empty)' : value}`;
        return (
          <li key={text} className="activity-condition">
            <span className="cut">{words}</span>
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
