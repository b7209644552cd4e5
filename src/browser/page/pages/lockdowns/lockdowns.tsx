/** Zone lockdown rules of a site: URLs that only some addresses may request. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Result, Sent } from '#client';
import { client } from '../../api/client.ts';
import { useZone, useZoneId } from '../../api/queries.ts';
import { readAll } from '../../api/read.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { ConfirmButton, DialogButton } from '../../parts/forms/dialog.tsx';
import { useDraft } from '../../parts/forms/draft.ts';
import { Check, TextField } from '../../parts/forms/field.tsx';
import { FormDialog } from '../../parts/forms/form.tsx';
import { SaveProblem, useSave } from '../../parts/forms/save.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { Pill } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { writeCurl } from '../../parts/reading/command.tsx';
import { Empty } from '../../parts/reading/states.tsx';

type Lockdown = Result<'lockdowns.list'>[number];

const path = '/zones/{zone_id}/firewall/lockdowns';
export function Lockdowns() {
  const [editedId, setEditedId] = useState<string>();
  return (
    <Card
      title="Zone lockdown"
      actions={
        <DialogButton label="Create lockdown">
          {(close) => <LockdownForm rule={undefined} onClose={close} />}
        </DialogButton>
      }
    >
      <Resource of={useQuery(readAll(path, { zone_id: useZoneId() }))} empty={<None />}>
        {(rules) => {
          const edited = rules.find(({ id }) => id === editedId);
          return (
            <>
              <DataTable
                label="Lockdown rules"
                rows={rules}
                keyOf={({ id }) => id}
                columns={[
                  {
                    title: 'URLs',
                    kind: 'mono',
                    cell: ({ id, urls }) => (
                      <Button look="link" onClick={() => setEditedId(id)}>
                        {urls.join(', ')}
                      </Button>
                    ),
                  },
                  { title: 'Only for', kind: 'mono', cell: formatAddresses },
                  { title: 'Priority', kind: 'number', cell: ({ priority }) => priority ?? 'none' },
                  { title: 'Description', cell: ({ description }) => description },
                  {
                    title: 'Status',
                    cell: ({ paused }) => (
                      <Pill tone={paused ? 'neutral' : 'good'}>{paused ? 'paused' : 'active'}</Pill>
                    ),
                  },
                  { title: 'Actions', kind: 'actions', cell: (rule) => <Deletion rule={rule} /> },
                ]}
              />
              {edited !== undefined && <LockdownForm rule={edited} onClose={() => setEditedId(undefined)} />}
            </>
          );
        }}
      </Resource>
    </Card>
  );
}

function formatAddresses({ configurations }: Lockdown): string {
  return configurations.map(({ value }) => value).join(', ');
}

function Deletion({ rule: { id, urls } }: { readonly rule: Lockdown }) {
  const names = { zone_id: useZoneId(), lock_downs_id: id };
  const deletion = useWrite({
    write: () => client.delete(`${path}/{lock_downs_id}`, names),
    done: 'The lockdown is deleted',
    failed: 'The lockdown was not deleted',
  });
  return (
    <ConfirmButton
      label="Delete"
      size="small"
      aria-label={`Delete the lockdown of ${urls.join(', ')}`}
      title="Delete this lockdown?"
      action="Delete lockdown"
      work={deletion}
    >
      <p>
        From then on, every visitor can open <code>{urls.join(', ')}</code>.
      </p>
    </ConfirmButton>
  );
}

interface Content {
  /** One on each line. */
  readonly urls: string;
  readonly addresses: string;
  readonly priority: string;
  readonly description: string;
  readonly paused: boolean;
}

function toContent(rule: Lockdown | undefined): Content {
  if (rule === undefined) return { urls: '', addresses: '', priority: '', description: '', paused: false };
  const { urls, configurations, priority, description = '', paused } = rule;
  return {
    urls: urls.join('\n'),
    addresses: configurations.map(({ value }) => value).join('\n'),
    priority: priority === undefined ? '' : String(priority),
    description: description ?? '',
    paused,
  };
}

function toBody({ urls, addresses, priority, ...rest }: Content): Sent<'lockdowns.create'> {
  return {
    ...rest,
    urls: splitLines(urls),
    configurations: splitLines(addresses).map((value) => ({
      target: value.includes('/') ? 'ip_range' : 'ip',
      value,
    })),
    ...(priority === '' ? {} : { priority: Number(priority) }),
  };
}

function splitLines(text: string): string[] {
  return text.split(/\s+/).filter((line) => line !== '');
}

function LockdownForm({
  rule,
  onClose,
}: {
  readonly rule: Lockdown | undefined;
  readonly onClose: () => void;
}) {
  const zone = useZone();
  const draft = useDraft(rule, { read: toContent });
  const { value, bind } = draft;
  const saving = useSave(draft, {
    read: rule && (() => client.get(`${path}/{lock_downs_id}`, { zone_id: zone.id, lock_downs_id: rule.id })),
    async write(content, base, version) {
      const input = { zone_id: zone.id, body: toBody(content) };
      return base === undefined
        ? client.post(path, input)
        : client.put(`${path}/{lock_downs_id}`, { ...input, lock_downs_id: base.id, version });
    },
    done: 'The lockdown is saved',
    onDone: onClose,
  });
  return (
    <FormDialog
      title={rule === undefined ? 'Create a lockdown' : 'Change a lockdown'}
      action="Save lockdown"
      work={saving}
      problem={<SaveProblem saving={saving} />}
      isIncomplete={value.urls.trim() === '' || value.addresses.trim() === ''}
      onSubmit={saving.save}
      onClose={onClose}
    >
      <TextField
        label="URLs"
        hint="One per line. A * matches any text."
        isCode
        rows={3}
        placeholder={`${zone.name}/admin/*`}
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
    </FormDialog>
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
