import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Pill } from '../../parts/pill.tsx';
import { tell, tellError } from '../../parts/toasts.tsx';
import { actions, numbers, Table, TableHead } from '../../parts/table.tsx';
import { type Action, type PageRule, urlOf } from './page-rule.ts';

interface TableProps {
  readonly zoneId: string;
  readonly rules: readonly PageRule[];
  /** Actions that do something in this zone. */
  readonly effective: readonly string[];
  readonly onEdit: (rule: PageRule) => void;
}

type Change = { readonly rule: PageRule; readonly to: PageRule['status'] | 'deleted' };

export function PageRuleTable({ zoneId, rules, effective, onEdit }: TableProps) {
  const [doomed, setDoomed] = useState<PageRule>();
  const change = useChange(zoneId, () => setDoomed(undefined));
  return (
    <>
      <Table label="Page rules">
        <TableHead columns={[numbers('Priority'), 'URL', 'Then', 'Status', actions]} />
        <tbody>
          {rules.map((rule) => (
            <PageRuleRow
              key={rule.id}
              rule={rule}
              effective={effective}
              onEdit={onEdit}
              onDelete={setDoomed}
              onStatus={(to) => change.mutate({ rule, to })}
            />
          ))}
        </tbody>
      </Table>
      <Confirm
        title="Delete this page rule?"
        isOpen={doomed !== undefined}
        action="Delete"
        isBusy={change.isPending}
        onClose={() => setDoomed(undefined)}
        onConfirm={() => doomed !== undefined && change.mutate({ rule: doomed, to: 'deleted' })}
      >
        <p>
          Requests to <code>{doomed && urlOf(doomed)}</code> are treated like all others from then on.
        </p>
      </Confirm>
    </>
  );
}

interface RowProps {
  readonly rule: PageRule;
  readonly effective: readonly string[];
  readonly onEdit: (rule: PageRule) => void;
  readonly onDelete: (rule: PageRule) => void;
  readonly onStatus: (status: PageRule['status']) => void;
}

function PageRuleRow({ rule, effective, onEdit, onDelete, onStatus }: RowProps) {
  const url = urlOf(rule);
  const isActive = rule.status === 'active';
  const hasEffect = rule.actions.some(({ id }) => effective.includes(id));
  return (
    <tr>
      <td className="number">{rule.priority}</td>
      <td>
        <button type="button" className="page-rules-url mono" onClick={() => onEdit(rule)}>
          {url}
        </button>
      </td>
      <td>
        <ul className="page-rules-then">
          {rule.actions.map((action) => (
            <li key={action.id}>
              <code>{describeAction(action)}</code>{' '}
              {!effective.includes(action.id) && <Pill>no effect here</Pill>}
            </li>
          ))}
        </ul>
      </td>
      <td>
        <Pill tone={isActive && hasEffect ? 'good' : 'neutral'}>
          {isActive && !hasEffect ? 'active, without effect' : rule.status}
        </Pill>
      </td>
      <td className="page-rules-actions">
        <Button
          className="button-small"
          aria-label={`${isActive ? 'Disable' : 'Enable'} ${url}`}
          onClick={() => onStatus(isActive ? 'disabled' : 'active')}
        >
          {isActive ? 'Disable' : 'Enable'}
        </Button>
        <Button
          look="danger"
          className="button-small"
          aria-label={`Delete ${url}`}
          onClick={() => onDelete(rule)}
        >
          Delete
        </Button>
      </td>
    </tr>
  );
}

function describeAction({ id, value }: Action): string {
  if (value === undefined) return id;
  return `${id}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

function useChange(zoneId: string, onEnd: () => void) {
  const queries = useQueryClient();
  const path = '/zones/{zone_id}/pagerules/{pagerule_id}';
  return useMutation({
    mutationFn: ({ rule, to }: Change) =>
      to === 'deleted'
        ? client.delete(path, { zone_id: zoneId, pagerule_id: rule.id })
        : client.patch(path, { zone_id: zoneId, pagerule_id: rule.id, body: { status: to } }),
    onSuccess: (_, { to }) => tell(`The page rule is ${to}`),
    onError: (error) => tellError('The page rule was not changed', error),
    onSettled() {
      onEnd();
      void queries.invalidateQueries({ queryKey: ['page-rules', zoneId] });
    },
  });
}
