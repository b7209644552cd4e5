import type { ComponentProps } from 'react';
import { Button } from '../../parts/button.tsx';
import { ActionPill, Pill } from '../../parts/pill.tsx';
import { type ListedRule, nameOf } from './listed-rule.ts';
import { RuleEffectNote } from './rule-effect.tsx';

interface RuleRowProps extends Pick<ComponentProps<'li'>, 'style'> {
  readonly rule: ListedRule;
  readonly position: number;
  readonly count: number;
  readonly isMoving: boolean;
  readonly isMovable: boolean;
  readonly handle: ComponentProps<'button'>;
  readonly isChosen: boolean;
  readonly onChoose: (rule: ListedRule) => void;
  readonly onEdit: (ruleId: string) => void;
  readonly onPause: (rule: ListedRule) => void;
  readonly onDelete: (rule: ListedRule) => void;
}

export function RuleRow(props: RuleRowProps) {
  const { rule, position, count, style, isMoving, isMovable, handle } = props;
  const { isChosen, onChoose, onEdit, onPause, onDelete } = props;
  const name = nameOf(rule);
  const short = name.slice(0, 80);
  const verb = rule.isPaused ? 'Resume' : 'Pause';
  return (
    <li
      className="rules-row"
      data-rule={rule.id}
      data-moving={isMoving}
      aria-posinset={position}
      aria-setsize={count}
      style={style}
    >
      <button
        type="button"
        className="rules-handle"
        aria-label={`Move ${short}`}
        aria-describedby="rules-move-help"
        aria-pressed={isMoving}
        disabled={!isMovable && !isMoving}
        {...handle}
      >
        <span aria-hidden="true">⠿</span>
      </button>
      <input
        type="checkbox"
        aria-label={`Choose ${short}`}
        checked={isChosen}
        onChange={() => onChoose(rule)}
      />
      <span className="rules-position">{position.toLocaleString()}</span>
      <div className="rules-what">
        <Button look="link" className="rules-title cut" title={name} onClick={() => onEdit(rule.id)}>
          {name}
        </Button>
        {rule.description !== undefined && rule.description !== '' && (
          <code className="soft cut" title={rule.expression}>
            {rule.expression ?? 'Its filter was deleted: it matches nothing.'}
          </code>
        )}
      </div>
      <div className="row">
        <ActionPill action={rule.action} />
        {rule.isPaused && <Pill tone="warn">paused</Pill>}
        {rule.hindrance !== undefined && <Pill tone="warn">{rule.hindrance}</Pill>}
        {rule.rank !== undefined && <span className="soft small">{rule.rank}</span>}
        <RuleEffectNote rule={rule} />
      </div>
      <div className="row row-end">
        <Button look="quiet" size="small" aria-label={`${verb} ${short}`} onClick={() => onPause(rule)}>
          {verb}
        </Button>
        <Button look="quiet" size="small" aria-label={`Delete ${short}`} onClick={() => onDelete(rule)}>
          Delete
        </Button>
      </div>
    </li>
  );
}
