/** Zone lockdown rules of a site: URLs that only some addresses may request. */
import { useQuery } from '@tanstack/react-query';
import type { Result, Sent } from '#client';
import { client } from '../../api/client.ts';
import { useZone, useZoneId } from '../../api/queries.ts';
import { readAll } from '../../api/read.ts';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { Check, TextField } from '../../parts/forms/field.tsx';
import { SaveDialog } from '../../parts/forms/save-form.tsx';
import { DeleteButton } from '../../parts/forms/write-button.tsx';
import { StatePill } from '../../parts/pill.tsx';
import { writeCurl } from '../../parts/reading/command.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { TableCard } from '../../parts/table-card.tsx';

type Lockdown = Result<'lockdowns.list'>[number];

const path = '/zones/{zone_id}/firewall/lockdowns';
export function Lockdowns() {
  const zone_id = useZoneId();
  return (
    <TableCard
      title="Zone lockdown"
      label="Lockdown rules"
      of={useQuery(readAll(path, { zone_id }))}
      empty={<None />}
      actions={
        <DialogButton label="Create lockdown">
          {(close) => <LockdownForm rule={undefined} onClose={close} />}
        </DialogButton>
      }
      columns={[
        {
          title: 'URLs',
          kind: 'mono',
          cell: (rule) => (
            <DialogButton label={rule.urls.join(', ')} look="link">
              {(close) => <LockdownForm rule={rule} onClose={close} />}
            </DialogButton>
          ),
        },
        {
          title: 'Only for',
          kind: 'mono',
          cell: ({ configurations }) => configurations.map(({ value }) => value).join(', '),
        },
        { title: 'Priority', kind: 'number', cell: ({ priority }) => priority ?? 'none' },
        { title: 'Description', cell: ({ description }) => description },
        { title: 'Status', cell: ({ paused }) => <StatePill isOn={!paused} words={['active', 'paused']} /> },
        {
          title: 'Actions',
          kind: 'actions',
          cell: ({ id, urls }) => (
            <DeleteButton
              what="lockdown"
              which={`the lockdown of ${urls.join(', ')}`}
              write={() => client.delete(`${path}/{lock_downs_id}`, { zone_id, lock_downs_id: id })}
            >
              <p>
                From then on, every visitor can open <code>{urls.join(', ')}</code>.
              </p>
            </DeleteButton>
          ),
        },
      ]}
    />
  );
}

function toFields(rule: Lockdown | undefined) {
  return {
    urls: rule?.urls.join('\n') ?? '',
    addresses: rule?.configurations.map(({ value }) => value).join('\n') ?? '',
    priority: String(rule?.priority ?? ''),
    description: rule?.description ?? '',
    paused: rule?.paused ?? false,
  };
}

function toBody({
  urls,
  addresses,
  priority,
  ...rest
}: ReturnType<typeof toFields>): Sent<'lockdowns.create'> {
  return {
    ...rest,
    urls: splitWords(urls),
    configurations: splitWords(addresses).map((value) => ({
      target: value.includes('/') ? 'ip_range' : 'ip',
      value,
    })),
    ...(priority === '' ? {} : { priority: Number(priority) }),
  };
}

function splitWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

interface LockdownFormProps {
  readonly rule: Lockdown | undefined;
  readonly onClose: () => void;
}

function LockdownForm({ rule, onClose }: LockdownFormProps) {
  const { id: zone_id, name } = useZone();
  const names = { zone_id, lock_downs_id: rule?.id ?? '' };
  return (
    <SaveDialog
      title={rule === undefined ? 'Create a lockdown' : 'Change a lockdown'}
      action="Save lockdown"
      saved={rule}
      toFields={toFields}
      read={rule && (() => client.get(`${path}/{lock_downs_id}`, names))}
      write={async (fields, base, version) => {
        const body = toBody(fields);
        return base === undefined
          ? client.post(path, { zone_id, body })
          : client.put(`${path}/{lock_downs_id}`, { ...names, body, version });
      }}
      done="The lockdown is saved"
      isIncomplete={({ urls, addresses }) => urls.trim() === '' || addresses.trim() === ''}
      onClose={onClose}
    >
      {(bind) => (
        <>
          <TextField
            label="URLs"
            hint="One per line. A * matches any text."
            isCode
            rows={3}
            placeholder={`${name}/admin/*`}
            {...bind('urls')}
          />
          <TextField
            label="Only for"
            hint="Addresses and networks, one per line."
            isCode
            rows={3}
            placeholder="192.0.2.0/24"
            {...bind('addresses')}
          />
          <TextField
            label="Priority"
            hint="If several rules match, the lowest number decides. Empty: last."
            type="number"
            min={0}
            {...bind('priority')}
          />
          <TextField label="Description" {...bind('description')} />
          <Check {...bind('paused')}>Paused</Check>
        </>
      )}
    </SaveDialog>
  );
}

function None() {
  const { id, name } = useZone();
  const body = {
    urls: [`${name}/admin/*`],
    configurations: [{ target: 'ip_range', value: '198.51.100.0/24' }],
  };
  return (
    <Empty title="No URL is locked" command={writeCurl(`/zones/${id}/firewall/lockdowns`, body)}>
      Create a rule to restrict some URLs to the addresses of your office.
    </Empty>
  );
}
