/** Rulesets of the account: rules that several sites share, and the requests for which each of them is executed. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Result } from '#client';
import { client, lookUp, resultOf } from '../../api/client.ts';
import { useAccountId, useZoneId } from '../../api/queries.ts';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { WriteDialog } from '../../parts/forms/form.tsx';
import { ConfirmButton, DeleteButton } from '../../parts/forms/write-button.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { TableCard } from '../../parts/table-card.tsx';

const path = '/accounts/{account_id}/rulesets';
const entryPointPath = '/accounts/{account_id}/rulesets/phases/{ruleset_phase}/entrypoint';
const phase = 'http_request_firewall_custom';

type EntryPoint = Result<'accountRulesets.getEntryPoint'>;

interface Shared {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The rules that execute it. */
  readonly runs: EntryPoint['rules'];
  /** The ruleset with these rules; undefined while nothing is executed. */
  readonly entryPointId: string | undefined;
}

function sharedQuery(zoneId: string, account_id: string) {
  return queryOptions({
    queryKey: ['zones', zoneId, 'rulesets of the account'],
    async queryFn({ signal }) {
      const all = await resultOf(client.get(path, { account_id, signal }));
      const place = { account_id, ruleset_phase: phase, signal };
      const { result: entryPoint } = await lookUp(client.get(entryPointPath, place));
      return all
        .filter((ruleset) => ruleset.kind === 'custom' && ruleset.phase === phase)
        .map(({ id, name, description }): Shared => {
          const runs =
            entryPoint?.rules.filter(({ action_parameters }) => action_parameters?.id === id) ?? [];
          return { id, name, description, runs, entryPointId: entryPoint?.id };
        });
    },
  });
}

export function AccountRulesets() {
  const zoneId = useZoneId();
  const shared = useQuery(sharedQuery(zoneId, useAccountId()));
  return (
    <TableCard
      title="Rulesets of the account"
      of={shared}
      rows={2}
      actions={
        <DialogButton label="Create ruleset" size="small">
          {(close) => <RulesetForm onClose={close} />}
        </DialogButton>
      }
      empty={
        <Empty
          title="No shared rulesets yet"
          command={`gatehouse rulesets create account --name shared --kind custom --phase ${phase} --rules '[]'`}
        >
          Create a ruleset for rules that several Enterprise sites have in common.
        </Empty>
      }
      columns={[
        {
          title: 'Ruleset',
          cell: ({ id, name, description }) => (
            <>
              <Link to="/zones/$zoneId/custom-rules" params={{ zoneId }} search={{ ruleset: id }}>
                {name}
              </Link>
              {description !== '' && <div className="soft">{description}</div>}
            </>
          ),
        },
        { title: 'Runs for', kind: 'mono', cell: ({ runs }) => <Runs runs={runs} /> },
        { title: 'Actions', kind: 'actions', cell: (ruleset) => <Deployment ruleset={ruleset} /> },
      ]}
    />
  );
}

function Runs({ runs }: Pick<Shared, 'runs'>) {
  if (runs.length === 0) return <Pill tone="warn">no request</Pill>;
  return runs.map(({ id, expression, enabled }) => (
    <div key={id}>
      {expression} {!enabled && <Pill tone="warn">paused</Pill>}
    </div>
  ));
}

interface DeploymentProps {
  readonly ruleset: Shared;
}

function Deployment({ ruleset }: DeploymentProps) {
  const account_id = useAccountId();
  const { name, runs, entryPointId } = ruleset;
  if (runs.length === 0) {
    return (
      <>
        <DialogButton label="Run…" size="small" aria-label={`Run ${name}`}>
          {(close) => <RunForm ruleset={ruleset} onClose={close} />}
        </DialogButton>
        <DeleteButton
          what="ruleset"
          which={name}
          write={() => client.delete(`${path}/{ruleset_id}`, { account_id, ruleset_id: ruleset.id })}
          done={`${name} is deleted`}
          failed={`${name} was not deleted`}
        >
          <p>{name} is deleted with its rules and its earlier versions.</p>
        </DeleteButton>
      </>
    );
  }
  return (
    <ConfirmButton
      label="Stop"
      size="small"
      aria-label={`Stop ${name}`}
      title="Stop this ruleset?"
      action="Stop"
      write={async () => {
        for (const { id } of runs) {
          const names = { account_id, ruleset_id: entryPointId!, rule_id: id };
          await client.delete(`${path}/{ruleset_id}/rules/{rule_id}`, names);
        }
      }}
      done={`${name} no longer runs`}
      failed={`${name} still runs`}
    >
      <p>The rules of {name} no longer act on any site. They are kept.</p>
    </ConfirmButton>
  );
}

function RunForm({
  ruleset: { id, name, entryPointId },
  onClose,
}: DeploymentProps & { readonly onClose: () => void }) {
  const account_id = useAccountId();
  return (
    <WriteDialog
      title={`Run ${name}`}
      action="Run it"
      initial={{ expression: 'cf.zone.plan eq "ENT"' }}
      write={async ({ expression }) => {
        const rule = { action: 'execute', expression, description: name, action_parameters: { id } } as const;
        return entryPointId === undefined
          ? client.put(entryPointPath, { account_id, ruleset_phase: phase, body: { rules: [rule] } })
          : client.post(`${path}/{ruleset_id}/rules`, { account_id, ruleset_id: entryPointId, body: rule });
      }}
      done={`${name} runs`}
      failed="The ruleset was not started."
      isIncomplete={({ expression }) => expression.trim() === ''}
      onClose={onClose}
    >
      {(bind) => (
        <TextField
          label="For requests that match"
          hint="Account rulesets run only for Enterprise sites; the expression must say so."
          rows={3}
          isCode
          {...bind('expression')}
        />
      )}
    </WriteDialog>
  );
}

function RulesetForm({ onClose }: { readonly onClose: () => void }) {
  const account_id = useAccountId();
  return (
    <WriteDialog
      title="Create a ruleset"
      action="Create ruleset"
      initial={{ name: '', description: '' }}
      write={(named) =>
        client.post(path, { account_id, body: { ...named, kind: 'custom', phase, rules: [] } })
      }
      done={(_, { name }) => `${name} is created`}
      failed="The ruleset was not created."
      isIncomplete={({ name }) => name.trim() === ''}
      onClose={onClose}
    >
      {(bind) => (
        <>
          <TextField label="Name" maxLength={100} {...bind('name')} />
          <TextField label="Description" maxLength={500} {...bind('description')} />
        </>
      )}
    </WriteDialog>
  );
}
