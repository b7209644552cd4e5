/** The versions of a Worker: who deployed what, the results of each, and rolling back to one of them. */
import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { read } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ConfirmButton } from '../../parts/forms/write-button.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { together } from '../../parts/reading/together.ts';
import { Time } from '../../parts/time.tsx';
import {
  type WorkerDeployment,
  scriptPath,
  useVersionCounts,
  type WorkerVersion,
  type VersionCounts,
  type WorkerNames,
} from './worker-queries.ts';

interface VersionRow {
  readonly version: WorkerVersion;
  /** The newest deployment of it. */
  readonly deployment: WorkerDeployment | undefined;
  readonly isRunning: boolean;
  readonly counts: VersionCounts | undefined;
}

const columns: readonly Column<VersionRow>[] = [
  {
    title: 'Version',
    cell: ({ version: { number, id }, isRunning }) => (
      <span className="row" title={id}>
        <strong>{number}</strong> <code>{id.slice(0, 8)}</code>
        {isRunning && <Pill tone="good">runs</Pill>}
      </span>
    ),
  },
  {
    title: 'Uploaded',
    cell: ({ version: { metadata } }) => (
      <>
        <Time at={metadata.created_on} isRelative /> by {metadata.author_email || 'a token'}
      </>
    ),
  },
  {
    title: 'Deployed',
    cell: ({ deployment }) =>
      deployment === undefined ? (
        <span className="soft">never</span>
      ) : (
        <>
          <Time at={deployment.created_on} isRelative /> by {deployment.author_email || 'a token'}
        </>
      ),
  },
  { title: 'Why', cell: ({ version, deployment }) => describeReason(version, deployment) },
  { title: 'Requests', kind: 'number', cell: ({ counts }) => counts?.requests.toLocaleString() ?? '–' },
  { title: 'Errors', kind: 'number', cell: ({ counts }) => counts?.failures.toLocaleString() ?? '–' },
  {
    title: 'Mean time',
    kind: 'number',
    cell: ({ counts }) =>
      counts?.meanMs === undefined
        ? '–'
        : `${counts.meanMs.toLocaleString(undefined, { maximumFractionDigits: 1 })} ms`,
  },
];

export function Versions({ names }: { readonly names: WorkerNames }) {
  const both = together({
    versions: useQuery(read(`${scriptPath}/versions`, names)),
    deployments: useQuery(read(`${scriptPath}/deployments`, names)),
  });
  const counts = useVersionCounts(names.script_name);
  return (
    <Card title="Versions">
      <div className="stack-close">
        <Resource of={both} rows={4}>
          {({ versions, deployments: { deployments } }) => (
            <DataTable
              label="Versions"
              rows={versions.items.map((version) => ({
                version,
                deployment: deployments.find((each) => each.versions[0]?.version_id === version.id),
                isRunning: deployments[0]?.versions[0]?.version_id === version.id,
                counts: counts.get(String(version.number)),
              }))}
              keyOf={({ version }) => version.id}
              columns={[
                ...columns,
                {
                  title: 'Actions',
                  kind: 'actions',
                  cell: (row) => !row.isRunning && <DeployVersion names={names} row={row} />,
                },
              ]}
            />
          )}
        </Resource>
        <p className="soft">Requests are counted since the server was started.</p>
      </div>
    </Card>
  );
}

function DeployVersion({ names, row }: { readonly names: WorkerNames; readonly row: VersionRow }) {
  const { version, deployment } = row;
  const isBack = deployment !== undefined;
  return (
    <ConfirmButton
      label={isBack ? 'Roll back' : 'Deploy'}
      title={`${isBack ? 'Roll back to' : 'Deploy'} version ${version.number}?`}
      action={isBack ? 'Roll back' : 'Deploy'}
      write={() =>
        client.post(`${scriptPath}/deployments`, {
          ...names,
          // The dialog has explained the effect on secrets.
          query: { force: true },
          body: {
            strategy: 'percentage',
            versions: [{ version_id: version.id, percentage: 100 }],
            ...(isBack
              ? { annotations: { 'workers/message': `Rolled back to version ${version.number}` } }
              : {}),
          },
        })
      }
      done={`Version ${version.number} runs`}
      failed={`Version ${version.number} was not deployed`}
    >
      <p>
        It is loaded beside the running version, and then replaces it; no request is refused. It uses the
        variables and secrets of its upload. Routes, crons and the data of objects do not change.
      </p>
    </ConfirmButton>
  );
}

function describeReason({ annotations }: WorkerVersion, deployment: WorkerDeployment | undefined): string {
  const message = 'workers/message';
  const words = [
    annotations['workers/tag'],
    annotations[message],
    deployment?.annotations[message],
    annotations['workers/triggered_by'],
  ];
  return [...new Set(words.filter((word) => word !== undefined && word !== ''))].join(' · ');
}
