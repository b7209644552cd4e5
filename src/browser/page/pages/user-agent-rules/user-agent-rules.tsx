/** User agent rules of a site. */
import { useQuery } from '@tanstack/react-query';
import type { Result, Sent } from '#client';
import { client } from '../../api/client.ts';
import { useZoneId } from '../../api/queries.ts';
import { readAll } from '../../api/read.ts';
import { stoppingActions } from '../../api/stopping-actions.ts';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { WriteDialog } from '../../parts/forms/form.tsx';
import { DeleteButton, WriteButton } from '../../parts/forms/write-button.tsx';
import { StatePill } from '../../parts/pill.tsx';
import { writeCurl } from '../../parts/reading/command.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { TableCard } from '../../parts/table-card.tsx';

type UserAgentRule = Result<'userAgentRules.list'>[number];
type SentUserAgentRule = Sent<'userAgentRules.create'>;

const path = '/zones/{zone_id}/firewall/ua_rules';
const modes: Readonly<Record<SentUserAgentRule['mode'], string>> = stoppingActions;

export function UserAgentRules() {
  return (
    <TableCard
      title="User agents"
      label="User agent rules"
      of={useQuery(readAll(path, { zone_id: useZoneId() }))}
      empty={<None />}
      actions={
        <DialogButton label="Create user agent rule">
          {(close) => <UserAgentForm onClose={close} />}
        </DialogButton>
      }
      columns={[
        { title: 'User agent', kind: 'mono', cell: ({ configuration }) => configuration.value },
        { title: 'Then', cell: ({ mode }) => modes[mode] },
        { title: 'Description', cell: ({ description }) => description },
        {
          title: 'Status',
          cell: ({ paused }) => <StatePill isOn={!paused} words={['in force', 'paused']} />,
        },
        { title: 'Actions', kind: 'actions', cell: (rule) => <Actions rule={rule} /> },
      ]}
    />
  );
}

function Actions({ rule }: { readonly rule: UserAgentRule }) {
  const { id, paused, configuration } = rule;
  const names = { zone_id: useZoneId(), ua_rule_id: id };
  const failed = 'The user agent rule was not changed';
  const verb = paused ? 'Resume' : 'Pause';
  return (
    <>
      <WriteButton
        size="small"
        aria-label={`${verb} ${configuration.value}`}
        write={() => client.put(`${path}/{ua_rule_id}`, { ...names, body: { ...rule, paused: !paused } })}
        done={`The user agent rule is ${paused ? 'in force' : 'paused'}`}
        failed={failed}
      >
        {verb}
      </WriteButton>
      <DeleteButton
        what="user agent rule"
        which={configuration.value}
        write={() => client.delete(`${path}/{ua_rule_id}`, names)}
        failed={failed}
      >
        <p>
          Clients that send <code>{configuration.value}</code> are treated like all others from then on.
        </p>
      </DeleteButton>
    </>
  );
}

const start = { userAgent: '', mode: 'block' as SentUserAgentRule['mode'], description: '' };

function UserAgentForm({ onClose }: { readonly onClose: () => void }) {
  const zone_id = useZoneId();
  return (
    <WriteDialog
      title="Create a user agent rule"
      action="Save user agent rule"
      initial={start}
      write={({ userAgent, ...same }) => {
        const body = { ...same, configuration: { target: 'ua' as const, value: userAgent.trim() } };
        return client.post(path, { zone_id, body });
      }}
      done="The user agent rule is saved"
      failed="Not saved:"
      isIncomplete={({ userAgent }) => userAgent.trim() === ''}
      onClose={onClose}
    >
      {(bind) => (
        <>
          <TextField
            label="User agent"
            hint="The whole header value; * is not a wildcard."
            isCode
            placeholder="BadBot/1.0 (+http://bad.bot)"
            {...bind('userAgent')}
          />
          <SelectField label="Then" options={modes} {...bind('mode')} />
          <TextField label="Description" {...bind('description')} />
        </>
      )}
    </WriteDialog>
  );
}

function None() {
  const body = { mode: 'block', configuration: { target: 'ua', value: 'BadBot/1.0' } };
  return (
    <Empty
      title="No user agent is stopped"
      command={writeCurl(`/zones/${useZoneId()}/firewall/ua_rules`, body)}
    >
      Create a rule to stop a client that identifies itself. To match part of a name, write a firewall rule.
    </Empty>
  );
}
