import { client } from '../../api/client.ts';
import { useZoneId } from '../../api/queries.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { DeleteButton, WriteButton } from '../../parts/forms/write-button.tsx';
import { Pill } from '../../parts/pill.tsx';
import { PageRuleForm } from './page-rule-form.tsx';
import { type Action, type PageRule, urlOf } from './page-rule.ts';

interface PageRuleTableProps {
  readonly rules: readonly PageRule[];
  /** Actions that have an effect in this zone. */
  readonly effective: readonly string[];
}

export function PageRuleTable({ rules, effective }: PageRuleTableProps) {
  return (
    <DataTable
      label="Page rules"
      rows={rules}
      columns={[
        { title: 'Priority', kind: 'number', cell: ({ priority }) => priority },
        {
          title: 'URL',
          kind: 'mono',
          cell: (rule) => (
            <DialogButton label={urlOf(rule)} look="link">
              {(close) => <PageRuleForm effective={effective} rule={rule} onClose={close} />}
            </DialogButton>
          ),
        },
        {
          title: 'Then',
          cell: ({ actions }) =>
            actions.map((action) => (
              <p key={action.id}>
                <code>{describeAction(action)}</code>{' '}
                {!effective.includes(action.id) && <Pill>no effect here</Pill>}
              </p>
            )),
        },
        { title: 'Status', cell: (rule) => <Status rule={rule} effective={effective} /> },
        { title: 'Actions', kind: 'actions', cell: (rule) => <Actions rule={rule} /> },
      ]}
    />
  );
}

function describeAction({ id, value }: Action): string {
  if (value === undefined) return id;
  return `${id}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

function Status({ rule, effective }: Pick<PageRuleTableProps, 'effective'> & { readonly rule: PageRule }) {
  const isActive = rule.status === 'active';
  const hasEffect = rule.actions.some(({ id }) => effective.includes(id));
  return (
    <Pill tone={isActive && hasEffect ? 'good' : 'neutral'}>
      {isActive && !hasEffect ? 'active, without effect' : rule.status}
    </Pill>
  );
}

function Actions({ rule }: { readonly rule: PageRule }) {
  const names = { zone_id: useZoneId(), pagerule_id: rule.id };
  const path = '/zones/{zone_id}/pagerules/{pagerule_id}';
  const status = rule.status === 'active' ? 'disabled' : 'active';
  const failed = 'The page rule was not changed';
  const verb = status === 'active' ? 'Enable' : 'Disable';
  return (
    <>
      <WriteButton
        size="small"
        aria-label={`${verb} ${urlOf(rule)}`}
        write={() => client.patch(path, { ...names, body: { status } })}
        done={`The page rule is ${status}`}
        failed={failed}
      >
        {verb}
      </WriteButton>
      <DeleteButton
        what="page rule"
        which={urlOf(rule)}
        action="Delete"
        write={() => client.delete(path, names)}
        failed={failed}
      >
        <p>
          Requests to <code>{urlOf(rule)}</code> are treated like all others from then on.
        </p>
      </DeleteButton>
    </>
  );
}
