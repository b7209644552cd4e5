/** Where records of a site are delivered as they occur. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Result, Sent } from '#client';
import { client } from '../../api/client.ts';
import { useZone, useZoneId } from '../../api/queries.ts';
import { readAll } from '../../api/read.ts';
import { Button } from '../../parts/button.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { ConfirmButton, DialogButton } from '../../parts/forms/dialog.tsx';
import { useDraft } from '../../parts/forms/draft.ts';
import { Check, SelectField, TextField } from '../../parts/forms/field.tsx';
import { FormDialog } from '../../parts/forms/form.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { PageHead } from '../../parts/page-head.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty } from '../../parts/reading/states.tsx';

const path = '/zones/{zone_id}/logpush/jobs';
type Job = Result<'logpush.get'>;

const datasets = { firewall_events: 'firewall events', http_requests: 'all requests' } as const;
export function LogpushPage() {
  const { id, name } = useZone();
  const [edited, setEdited] = useState<Job>();
  return (
    <div className="stack">
      <PageHead
        title="Logpush"
        about={`Where records of ${name} are sent as they happen. While a receiver is down, records wait in a buffer of limited size.`}
      >
        <DialogButton label="Create job">{(close) => <JobForm onClose={close} />}</DialogButton>
      </PageHead>
      <Resource of={useQuery(readAll(path, { zone_id: id }))} empty={<None name={name} />}>
        {(jobs) => (
          <DataTable
            label="Jobs"
            rows={jobs}
            keyOf={(job) => String(job.id)}
            columns={[
              {
                title: 'Destination',
                kind: 'mono',
                cell: (job) => (
                  <Button look="link" onClick={() => setEdited(job)}>
                    {job.destination_conf}
                  </Button>
                ),
              },
              { title: 'Records', cell: ({ dataset }) => datasets[dataset] },
              { title: 'Filter', kind: 'mono', cell: ({ filter }) => filter },
              { title: 'Delivered', cell: ({ delivery }) => delivery.sent_records.toLocaleString('en') },
              { title: 'Waiting', cell: ({ delivery }) => delivery.buffered_records.toLocaleString('en') },
              { title: 'Dropped', cell: ({ delivery }) => delivery.dropped_records.toLocaleString('en') },
              { title: 'Status', cell: (job) => <Status job={job} /> },
              { title: 'Actions', kind: 'actions', cell: (job) => <Deletion job={job} /> },
            ]}
          />
        )}
      </Resource>
      {edited !== undefined && <JobForm job={edited} onClose={() => setEdited(undefined)} />}
    </div>
  );
}

function Status({ job: { enabled, error_message } }: { readonly job: Job }) {
  if (!enabled) return <Pill tone="neutral">disabled</Pill>;
  return error_message === null ? <Pill tone="good">sending</Pill> : <Pill tone="bad">{error_message}</Pill>;
}

function Deletion({ job: { id, destination_conf } }: { readonly job: Job }) {
  const names = { zone_id: useZoneId(), job_id: String(id) };
  const deletion = useWrite({
    write: () => client.delete(`${path}/{job_id}`, names),
    done: 'The job is deleted',
    failed: 'The job was not deleted',
  });
  return (
    <ConfirmButton
      label="Delete"
      size="small"
      aria-label={`Delete the job to ${destination_conf}`}
      title="Delete this job?"
      action="Delete job"
      work={deletion}
    >
      <p>Records that it has not sent yet are deleted with it.</p>
    </ConfirmButton>
  );
}

interface Content {
  readonly dataset: Job['dataset'];
  readonly destination: string;
  readonly filter: string;
  readonly enabled: boolean;
}

function JobForm({ job, onClose }: { readonly job?: Job; readonly onClose: () => void }) {
  const zone_id = useZoneId();
  const { value, bind } = useDraft(job, {
    read: (saved): Content => ({
      dataset: saved?.dataset ?? 'firewall_events',
      destination: saved?.destination_conf ?? '',
      filter: saved?.filter ?? '',
      enabled: saved?.enabled ?? true,
    }),
  });
  const saving = useWrite({
    write: () => {
      const { dataset, destination: destination_conf, filter, enabled } = value;
      const body = { dataset, destination_conf, filter, enabled } satisfies Sent<'logpush.create'>;
      return job === undefined
        ? client.post(path, { zone_id, body })
        : client.put(`${path}/{job_id}`, { zone_id, job_id: String(job.id), body });
    },
    done: 'The job is saved',
    onDone: onClose,
  });
  return (
    <FormDialog
      title={job === undefined ? 'Create a job' : 'Change a job'}
      action="Save job"
      work={saving}
      isIncomplete={value.destination === ''}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      <SelectField label="Records" options={datasets} {...bind('dataset')} />
      <TextField
        label="Destination"
        hint="https://logs.example/in?header_Authorization=Bearer%20…, syslog+tls://siem.example:6514 or file:///events.ndjson. Values of header_ are not shown again."
        isCode
        {...bind('destination')}
      />
      <TextField
        label="Filter"
        hint="An expression, such as http.response.code ge 500. Empty for all records."
        isCode
        {...bind('filter')}
      />
      <Check {...bind('enabled')}>Enabled</Check>
    </FormDialog>
  );
}

function None({ name }: { readonly name: string }) {
  return (
    <Empty
      title="No Logpush jobs yet"
      command={`gatehouse logpush create ${name} --dataset firewall_events --destination-conf https://logs.example/in --enabled true`}
    >
      Create a job to send events or requests to your SIEM as they happen: over HTTP, to syslog, or into a
      file.
    </Empty>
  );
}
