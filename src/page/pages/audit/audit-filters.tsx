/** Who, what and when. The filters apply when they are sent, so that half a name asks nothing. */
import { type SubmitEvent, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Field, Select, TextInput } from '../../parts/field.tsx';
import { type Filters, noFilters } from './entry.ts';

export function AuditFilters({ onChange }: { readonly onChange: (filters: Filters) => void }) {
  const [draft, setDraft] = useState(noFilters);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onChange(draft);
  };
  const clear = (): void => {
    setDraft(noFilters);
    onChange(noFilters);
  };
  const bind = (name: keyof Filters) => ({
    value: draft[name],
    onChange: (event: { target: { value: string } }) => setDraft({ ...draft, [name]: event.target.value }),
  });
  return (
    <form className="audit-filters card" role="search" onSubmit={submit}>
      <Field label="Who">
        <TextInput placeholder="e-mail address" autoComplete="off" {...bind('email')} />
      </Field>
      <Field label="From address">
        <TextInput autoComplete="off" {...bind('ip')} />
      </Field>
      <Field label="What">
        <Select {...bind('action')}>
          <option value="">any change</option>
          <option value="add">added</option>
          <option value="change">changed</option>
          <option value="delete">deleted</option>
        </Select>
      </Field>
      <Field label="Site">
        <TextInput placeholder="shop.example" autoComplete="off" {...bind('zone')} />
      </Field>
      <Field label="Since">
        <TextInput type="datetime-local" {...bind('since')} />
      </Field>
      <Field label="Before">
        <TextInput type="datetime-local" {...bind('before')} />
      </Field>
      <div className="row audit-filter-actions">
        <Button type="submit" look="primary">
          Filter
        </Button>
        <Button onClick={clear}>Clear</Button>
      </div>
    </form>
  );
}
