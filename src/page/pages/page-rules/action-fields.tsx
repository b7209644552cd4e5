/** What a page rule does: its actions, each with the input that fits its value. */
import { Button } from '../../parts/button.tsx';
import { type DraftAction, getFirstValue, valueKinds } from './page-rule.ts';

interface FieldsProps {
  /** Actions that do something in this zone. */
  readonly effective: readonly string[];
  readonly actions: readonly DraftAction[];
  readonly onChange: (actions: readonly DraftAction[]) => void;
}

export function ActionFields({ effective, actions, onChange }: FieldsProps) {
  const rest = [...valueKinds.keys()].filter((id) => actions.every((action) => action.id !== id));
  const replace = (index: number, action: DraftAction): void => onChange(actions.with(index, action));
  return (
    <fieldset className="page-rules-fields">
      <legend>Then</legend>
      {actions.map((action, index) => (
        <div key={action.id} className="page-rules-action">
          <select
            className="input"
            aria-label={`Action ${index + 1}`}
            value={action.id}
            onChange={({ target: { value: id } }) => replace(index, { id, text: getFirstValue(id) })}
          >
            {[action.id, ...rest].map((id) => (
              <option key={id} value={id}>
                {effective.includes(id) ? id : `${id} (no effect here)`}
              </option>
            ))}
          </select>
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
      <Button
        className="button-small"
        disabled={rest.length === 0}
        onClick={() => onChange([...actions, { id: rest[0]!, text: getFirstValue(rest[0]!) }])}
      >
        Add action
      </Button>
    </fieldset>
  );
}

function ValueInput({
  action,
  onChange,
}: {
  readonly action: DraftAction;
  readonly onChange: (text: string) => void;
}) {
  const kind = valueKinds.get(action.id) ?? { kind: 'json' };
  const label = `Value of ${action.id}`;
  if (kind.kind === 'none') return <span className="soft">takes no value</span>;
  if (kind.kind === 'choice') {
    return (
      <select
        className="input"
        aria-label={label}
        value={action.text}
        onChange={(event) => onChange(event.target.value)}
      >
        {kind.values.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </select>
    );
  }
  return (
    <input
      className={kind.kind === 'json' ? 'input mono' : 'input'}
      aria-label={label}
      type={kind.kind === 'seconds' ? 'number' : 'text'}
      placeholder={kind.kind === 'seconds' ? 'seconds' : undefined}
      value={action.text}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
