import type { ComponentProps } from 'react';
import { Button } from '../../parts/button.tsx';
import { ActionPill, Pill } from '../../parts/pill.tsx';
import { RuleEffectNote } from './rule-effect.tsx';
import { expressionOf, type FirewallRule, nameOf } from './rules-api.ts';

interface RuleRowProps extends Pick<ComponentProps<'li'>, 'style'> {
  readonly rule: FirewallRule;
  readonly position: number;
  readonly count: number;
  readonly isMoving: boolean;
  readonly isMovable: boolean;
  readonly handle: ComponentProps<'button'>;
  readonly isChosen: boolean;
  readonly onChoose: (rule: FirewallRule) => void;
  readonly onEdit: (ruleId: string) => void;
  readonly onPause: (rule: FirewallRule) => void;
  readonly onDelete: (rule: FirewallRule) => void;
}

export function RuleRow(props: RuleRowProps) {
  const { rule, position, count, style, isMoving, isMovable, handle } = props;
  const { isChosen, onChoose, onEdit, onPause, onDelete } = props;
  const name = nameOf(rule);
  const short = name.slice(0, 80);
  const verb = rule.paused ? 'Resume' : 'Pause';
  return (
    <li
      className="firewall-rules-row"
      data-rule={rule.id}
      data-moving={isMoving}
      aria-posinset={position}
      aria-setsize={count}
      style={style}
    >
      <button
        type="button"
        className="firewall-rules-handle"
        aria-label={`Move ${short}`}
        aria-describedby="firewall-rules-move-help"
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
      <span className="firewall-rules-position">{position}</span>
      <div className="firewall-rules-what">
        <Button look="link" className="firewall-rules-title cut" title={name} onClick={() => onEdit(rule.id)}>
          {name}
        </Button>
        {rule.description !== undefined && rule.description !== '' && (
          <code className="soft cut" title={expressionOf(rule)}>
            {expressionOf(rule) ?? 'Its filter was deleted: it matches nothing.'}
          </code>
        )}
      </div>
      <div className="row">
        <ActionPill action={rule.action} />
        {rule.paused && <Pill tone="warn">paused</Pill>}
        {'paused' in rule.filter && rule.filter.paused && <Pill tone="warn">filter paused</Pill>}
        <span className="soft small">
          {rule.priority === null ? 'no priority' : `priority ${rule.priority}`}
        </span>
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
