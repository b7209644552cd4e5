/** The actions of a page rule, each with the input for its kind of value. */
import { Button } from '../../parts/button.tsx';
import { Select } from '../../parts/forms/field.tsx';
import { joinClasses } from '../../parts/join-classes.ts';
import { type DraftAction, getFirstValue, valueKinds } from './page-rule.ts';

interface FieldsProps {
  /** Actions that have an effect in this zone. */
  readonly effective: readonly string[];
  readonly value: readonly DraftAction[];
  readonly onChange: (actions: readonly DraftAction[]) => void;
}

export function ActionFields({ effective, value: actions, onChange }: FieldsProps) {
  const rest = [...valueKinds.keys()].filter((id) => actions.every((action) => action.id !== id));
  const describe = (id: string) => [id, effective.includes(id) ? id : `${id} (no effect here)`];
  const replace = (index: number, action: DraftAction): void => onChange(actions.with(index, action));
  return (
    <fieldset className="box stack-close">
      <legend>Then</legend>
      {actions.map((action, index) => (
        <div key={action.id} className="columns">
          <Select
            aria-label={`Action ${index + 1}`}
            options={Object.fromEntries([action.id, ...rest].map(describe))}
            value={action.id}
            onChange={(id) => replace(index, { id, text: getFirstValue(id) })}
          />
          <ValueInput action={action} onChange={(text) => replace(index, { ...action, text })} />
          <Button
            look="quiet"
            aria-label={`Remove ${action.id}`}
            onClick={() => onChange(actions.toSpliced(index, 1))}
          >
            Remove
          </Button>
        </div>
      ))}
      <div>
        <Button
          size="small"
          disabled={rest.length === 0}
          onClick={() => onChange([...actions, { id: rest[0]!, text: getFirstValue(rest[0]!) }])}
        >
          Add action
        </Button>
      </div>
    </fieldset>
  );
}

interface ValueInputProps {
  readonly action: DraftAction;
  readonly onChange: (text: string) => void;
}

function ValueInput({ action: { id, text }, onChange }: ValueInputProps) {
  const kind = valueKinds.get(id) ?? { kind: 'json' };
  const label = `Value of ${id}`;
  if (kind.kind === 'none') return <span className="soft">takes no value</span>;
  if (kind.kind === 'choice')
    return <Select aria-label={label} options={kind.values} value={text} onChange={onChange} />;
  const isSeconds = kind.kind === 'seconds';
  return (
    <input
      className={joinClasses('input', kind.kind === 'json' && 'mono')}
      aria-label={label}
      type={isSeconds ? 'number' : 'text'}
      placeholder={isSeconds ? 'seconds' : undefined}
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
