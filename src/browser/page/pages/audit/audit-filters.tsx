/** Filters by actor, change and time. They apply on submit, so that an incomplete name causes no request. */
import { Form } from '@base-ui/react/form';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { useFields } from '../../parts/forms/fields.ts';
import { type Filters, noFilters } from './entry.ts';

const actions = { '': 'any change', add: 'added', change: 'changed', delete: 'deleted' };

export function AuditFilters({ onChange }: { readonly onChange: (filters: Filters) => void }) {
  const { value, change, bind } = useFields(noFilters);
  const clear = (): void => {
    change(noFilters);
    onChange(noFilters);
  };
  return (
    <Form className="card grid fields" role="search" onFormSubmit={() => onChange(value)}>
      <TextField label="Who" placeholder="e-mail address" {...bind('email')} />
      <TextField label="From address" {...bind('ip')} />
      <SelectField label="What" options={actions} {...bind('action')} />
      <TextField label="Site" placeholder="shop.example" {...bind('zone')} />
      <TextField label="Since" type="datetime-local" {...bind('since')} />
      <TextField label="Before" type="datetime-local" {...bind('before')} />
      <div className="row">
        <Button type="submit" look="primary">
          Filter
        </Button>
        <Button onClick={clear}>Clear</Button>
      </div>
    </Form>
  );
}
