import type { ComponentProps } from 'react';
import { Button } from '../../parts/button.tsx';
import { ActionPill, Pill } from '../../parts/pill.tsx';
import { expressionOf, type FirewallRule, nameOf } from './rules-api.ts';

interface RuleRowProps {
  readonly rule: FirewallRule;
  readonly position: number;
  readonly count: number;
  readonly top: number;
  readonly height: number;
  readonly isMoving: boolean;
  readonly isMovable: boolean;
  readonly handle: ComponentProps<'button'>;
  readonly onEdit: () => void;
  readonly onPause: () => void;
  readonly onDelete: () => void;
}

export function RuleRow(props: RuleRowProps) {
  const { rule, position, count, top, height, isMoving, isMovable, handle } = props;
  const name = nameOf(rule);
  const short = name.slice(0, 80);
  return (
    <li
      className="firewall-rules-row"
      data-rule={rule.id}
      data-moving={isMoving}
      data-paused={rule.paused}
      aria-posinset={position}
      aria-setsize={count}
      style={{ height, transform: `translateY(${top}px)` }}
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
      <span className="firewall-rules-position">{position}</span>
      <div className="firewall-rules-what">
        <button type="button" className="firewall-rules-title" onClick={props.onEdit} title={name}>
          {name}
        </button>
        {rule.description !== undefined && rule.description !== '' && (
          <code className="firewall-rules-expression" title={expressionOf(rule)}>
            {expressionOf(rule) ?? 'Its filter was deleted: it matches nothing.'}
          </code>
        )}
      </div>
      <div className="firewall-rules-facts">
        <ActionPill action={rule.action} />
        {rule.paused && <Pill tone="warn">paused</Pill>}
        {'paused' in rule.filter && rule.filter.paused && <Pill tone="warn">filter paused</Pill>}
        <span className="soft">{rule.priority === null ? 'no priority' : `priority ${rule.priority}`}</span>
      </div>
      <div className="firewall-rules-buttons">
        <Button
          look="quiet"
          aria-label={`${rule.paused ? 'Resume' : 'Pause'} ${short}`}
          onClick={props.onPause}
        >
          {rule.paused ? 'Resume' : 'Pause'}
        </Button>
        <Button look="quiet" aria-label={`Delete ${short}`} onClick={props.onDelete}>
          Delete
        </Button>
      </div>
    </li>
  );
}
