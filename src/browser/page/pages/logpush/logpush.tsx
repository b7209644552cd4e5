/** Where records of a site are delivered as they occur. */
import { useQuery } from '@tanstack/react-query';
import type { Result } from '#client';
import { client } from '../../api/client.ts';
import { useZone, useZoneId } from '../../api/queries.ts';
import { readAll } from '../../api/read.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { Check, SelectField, TextField } from '../../parts/forms/field.tsx';
import { WriteDialog } from '../../parts/forms/form.tsx';
import { DeleteButton } from '../../parts/forms/write-button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty } from '../../parts/reading/states.tsx';

const path = '/zones/{zone_id}/logpush/jobs';
type Job = Result<'logpush.get'>;

const datasets = { firewall_events: 'firewall events', http_requests: 'all requests' } as const;
export function LogpushPage() {
  const { id: zone_id, name } = useZone();
  return (
    <div className="stack">
      <PageHead
        title="Logpush"
        about={`Where records of ${name} are sent as they happen. While a receiver is down, records wait in a buffer of limited size.`}
      >
        <DialogButton label="Create job">{(close) => <JobForm onClose={close} />}</DialogButton>
      </PageHead>
      <Resource of={useQuery(readAll(path, { zone_id }))} empty={<None name={name} />}>
        {(jobs) => <DataTable label="Jobs" rows={jobs} columns={listColumns(zone_id)} />}
      </Resource>
    </div>
  );
}

function listColumns(zone_id: string): readonly Column<Job>[] {
  return [
    {
      title: 'Destination',
      kind: 'mono',
      cell: (job) => (
        <DialogButton label={job.destination_conf} look="link">
          {(close) => <JobForm job={job} onClose={close} />}
        </DialogButton>
      ),
    },
    { title: 'Records', cell: ({ dataset }) => datasets[dataset] },
    { title: 'Filter', kind: 'mono', cell: ({ filter }) => filter },
    { title: 'Delivered', cell: ({ delivery }) => delivery.sent_records.toLocaleString('en') },
    { title: 'Waiting', cell: ({ delivery }) => delivery.buffered_records.toLocaleString('en') },
    { title: 'Dropped', cell: ({ delivery }) => delivery.dropped_records.toLocaleString('en') },
    { title: 'Status', cell: (job) => <Status job={job} /> },
    {
      title: 'Actions',
      kind: 'actions',
      cell: ({ id, destination_conf }) => (
        <DeleteButton
          what="job"
          which={`the job to ${destination_conf}`}
          write={() => client.delete(`${path}/{job_id}`, { zone_id, job_id: String(id) })}
        >
          <p>Records that it has not sent yet are deleted with it.</p>
        </DeleteButton>
      ),
    },
  ];
}

function Status({ job: { enabled, error_message } }: { readonly job: Job }) {
  if (!enabled) return <Pill tone="neutral">disabled</Pill>;
  return error_message === null ? <Pill tone="good">sending</Pill> : <Pill tone="bad">{error_message}</Pill>;
}

function JobForm({ job, onClose }: { readonly job?: Job; readonly onClose: () => void }) {
  const zone_id = useZoneId();
  return (
    <WriteDialog
      title={job === undefined ? 'Create a job' : 'Change a job'}
      action="Save job"
      initial={{
        dataset: job?.dataset ?? ('firewall_events' as const),
        destination_conf: job?.destination_conf ?? '',
        filter: job?.filter ?? '',
        enabled: job?.enabled ?? true,
      }}
      write={(body) =>
        job === undefined
          ? client.post(path, { zone_id, body })
          : client.put(`${path}/{job_id}`, { zone_id, job_id: String(job.id), body })
      }
      done="The job is saved"
      isIncomplete={({ destination_conf }) => destination_conf === ''}
      onClose={onClose}
    >
      {(bind) => (
        <>
          <SelectField label="Records" options={datasets} {...bind('dataset')} />
          <TextField
            label="Destination"
            hint="https://logs.example/in?header_Authorization=Bearer%20…, syslog+tls://siem.example:6514 or file:///events.ndjson. Values of header_ are not shown again."
            isCode
            {...bind('destination_conf')}
          />
          <TextField
            label="Filter"
            hint="An expression, such as http.response.code ge 500. Empty for all records."
            isCode
            {...bind('filter')}
          />
          <Check {...bind('enabled')}>Enabled</Check>
        </>
      )}
    </WriteDialog>
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
