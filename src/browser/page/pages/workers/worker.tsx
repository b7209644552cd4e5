/** One Worker: the running version, earlier ones, triggers, the names of its secrets, and live logs. */
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { client } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { ConfirmButton } from '../../parts/forms/write-button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { LiveLogs } from './live-logs.tsx';
import { Secrets } from './secrets.tsx';
import { Triggers } from './triggers.tsx';
import { Versions } from './versions.tsx';
import { scriptPath, type WorkerNames } from './worker-queries.ts';

const route = getRouteApi('/signed-in/account/workers/$workerName');

export function WorkerPage() {
  const { workerName } = route.useParams();
  const names = { account_id: useAccountId(), script_name: workerName };
  const { account_id } = names;
  const worker = useQuery(
    read('/accounts/{account_id}/workers/workers/{worker_id}', { account_id, worker_id: workerName }),
  );
  return (
    <Resource of={worker} rows={8}>
      {({ subdomain: { enabled, url } }) => (
        <>
          <PageHead
            title={workerName}
            about={
              enabled && url !== undefined ? (
                <a href={url} rel="noreferrer">
                  {url}
                </a>
              ) : (
                'Reached by its routes and custom domains only.'
              )
            }
          >
            <DeleteWorker names={names} />
          </PageHead>
          <div className="stack">
            <Versions names={names} />
            <LiveLogs key={workerName} names={names} />
            <Triggers names={names} />
            <Secrets names={names} />
          </div>
        </>
      )}
    </Resource>
  );
}

function DeleteWorker({ names }: { readonly names: WorkerNames }) {
  const navigate = useNavigate();
  const name = names.script_name;
  return (
    <ConfirmButton
      label="Delete Worker"
      title={`Delete ${name}?`}
      action="Delete"
      typed={name}
      write={() => client.delete(scriptPath, names)}
      done={`${name} is deleted`}
      failed="The Worker was not deleted"
      onDone={() => navigate({ to: '/workers' })}
    >
      <p>
        Its versions, secrets, routes and objects are deleted, too. The stores that it is bound to are kept.
      </p>
    </ConfirmButton>
  );
}
