/** IP access rules of a site, and those of the account, which apply to all its sites. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Result, Sent } from '#client';
import { client, resultOf } from '../../api/client.ts';
import { useAccountId, useZoneId } from '../../api/queries.ts';
import { stoppingActions } from '../../api/stopping-actions.ts';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { SelectField, TextField } from '../../parts/forms/field.tsx';
import { WriteDialog } from '../../parts/forms/form.tsx';
import { DeleteButton } from '../../parts/forms/write-button.tsx';
import { Pill } from '../../parts/pill.tsx';
import { writeCurl } from '../../parts/reading/command.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { TableCard } from '../../parts/table-card.tsx';

type AccessRule = Result<'accessRules.list'>[number];
type SentAccessRule = Sent<'accessRules.create'>;

const ofZone = '/zones/{zone_id}/firewall/access_rules/rules';
const ofAccount = '/accounts/{account_id}/firewall/access_rules/rules';

/** The newest ones; there can be 50,000. */
const query = { per_page: 1000 };

const modes: Readonly<Record<SentAccessRule['mode'], string>> = {
  ...stoppingActions,
  whitelist: 'Allow',
};
const targets: Readonly<Record<SentAccessRule['configuration']['target'], string>> = {
  ip: 'Address',
  ip6: 'IPv6 address',
  ip_range: 'Network',
  asn: 'Network operator',
  country: 'Country',
};
const examples: Readonly<Record<SentAccessRule['configuration']['target'], string>> = {
  ip: '192.0.2.1',
  ip6: '2001:db8::1',
  ip_range: '192.0.2.0/24',
  asn: 'AS64500',
  country: 'NZ',
};

/** Those of the site come before those of the account; read again with the site. */
function rulesQuery(names: { readonly zone_id: string; readonly account_id: string }) {
  const { zone_id, account_id } = names;
  return queryOptions({
    queryKey: ['zones', zone_id, 'access rules'],
    async queryFn({ signal }): Promise<readonly AccessRule[]> {
      const own = await resultOf(client.get(ofZone, { zone_id, query, signal }));
      return [...own, ...(await resultOf(client.get(ofAccount, { account_id, query, signal })))];
    },
  });
}

export function AccessRules() {
  const names = { zone_id: useZoneId(), account_id: useAccountId() };
  return (
    <TableCard
      title="IP access rules"
      of={useQuery(rulesQuery(names))}
      empty={<None zoneId={names.zone_id} />}
      actions={
        <DialogButton label="Create access rule">
          {(close) => <AccessRuleForm {...names} onClose={close} />}
        </DialogButton>
      }
      columns={[
        { title: 'Who', kind: 'mono', cell: ({ configuration }) => configuration.value },
        { title: 'Kind', cell: ({ configuration }) => targets[configuration.target] },
        {
          title: 'Then',
          cell: ({ mode }) => <Pill tone={mode === 'whitelist' ? 'good' : 'neutral'}>{modes[mode]}</Pill>,
        },
        { title: 'Where', cell: ({ scope }) => (scope.type === 'zone' ? 'this site' : 'all sites') },
        { title: 'Notes', cell: ({ notes }) => notes },
        { title: 'Actions', kind: 'actions', cell: (rule) => <Deletion rule={rule} /> },
      ]}
    />
  );
}

function Deletion({ rule: { id: rule_id, configuration, scope } }: { readonly rule: AccessRule }) {
  return (
    <DeleteButton
      what="access rule"
      which={`the rule about ${configuration.value}`}
      write={() =>
        scope.type === 'zone'
          ? client.delete(`${ofZone}/{rule_id}`, { zone_id: scope.id, rule_id })
          : client.delete(`${ofAccount}/{rule_id}`, { account_id: scope.id, rule_id })
      }
    >
      <p>
        <code>{configuration.value}</code> is treated like all others from then on
        {scope.type === 'zone' ? '' : ', on all sites of the account'}.
      </p>
    </DeleteButton>
  );
}

const start = {
  target: 'ip' as SentAccessRule['configuration']['target'],
  value: '',
  mode: 'block' as SentAccessRule['mode'],
  where: 'site' as 'site' | 'account',
  notes: '',
};

interface AccessRuleFormProps {
  readonly zone_id: string;
  readonly account_id: string;
  readonly onClose: () => void;
}

function AccessRuleForm({ zone_id, account_id, onClose }: AccessRuleFormProps) {
  return (
    <WriteDialog
      title="Create an access rule"
      action="Save access rule"
      initial={start}
      write={({ target, value, mode, where, notes }) => {
        const body: SentAccessRule = { mode, configuration: { target, value: value.trim() }, notes };
        return where === 'site'
          ? client.post(ofZone, { zone_id, body })
          : client.post(ofAccount, { account_id, body });
      }}
      done="The access rule is saved"
      failed="Not saved:"
      isIncomplete={({ value }) => value.trim() === ''}
      onClose={onClose}
    >
      {(bind, { target }) => (
        <>
          <SelectField label="Kind" options={targets} {...bind('target')} />
          <TextField label="Who" isCode placeholder={examples[target]} {...bind('value')} />
          <SelectField label="Then" options={modes} {...bind('mode')} />
          <SelectField
            label="Where"
            options={{ site: 'this site', account: 'all sites of the account' }}
            {...bind('where')}
          />
          <TextField label="Notes" maxLength={500} {...bind('notes')} />
        </>
      )}
    </WriteDialog>
  );
}

function None({ zoneId }: { readonly zoneId: string }) {
  const body = { mode: 'block', configuration: { target: 'ip', value: '203.0.113.7' } };
  return (
    <Empty
      title="There is no IP access rule"
      command={writeCurl(`/zones/${zoneId}/firewall/access_rules/rules`, body)}
    >
      Create one to block an address, or to let one pass.
    </Empty>
  );
}
