/** The triggers of a Worker: routes, custom domains and schedules. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { read } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { FormDialog } from '../../parts/forms/form.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { ConfirmButton } from '../../parts/forms/write-button.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { scriptPath, type WorkerNames } from './worker-queries.ts';

interface NamesProps {
  readonly names: WorkerNames;
}

export function Triggers({ names }: NamesProps) {
  return (
    <>
      <Routes names={names} />
      <Crons names={names} />
    </>
  );
}

function Routes({ names }: NamesProps) {
  const routes = useQuery(read(`${scriptPath}/routes`, names));
  return (
    <Card title="Routes and custom domains">
      <Resource
        of={routes}
        rows={2}
        empty={
          <Empty title="No routes yet" command="npx wrangler deploy">
            Add routes to the configuration of the project, and deploy it.
          </Empty>
        }
      >
        {(all) => (
          <DataTable
            label="Routes"
            rows={all}
            columns={[
              { title: 'Pattern', kind: 'mono', cell: ({ pattern }) => pattern },
              { title: 'Kind', cell: (route) => (route.custom_domain ? 'custom domain' : 'route') },
              {
                title: 'Site',
                cell: ({ zone_id, zone_name }) => (
                  <Link to="/zones/$zoneId" params={{ zoneId: zone_id }}>
                    {zone_name}
                  </Link>
                ),
              },
              {
                title: 'Actions',
                kind: 'actions',
                cell: ({ id, pattern, zone_id }) => <DeleteRoute {...{ id, pattern, zone_id }} />,
              },
            ]}
          />
        )}
      </Resource>
    </Card>
  );
}

function Crons({ names }: NamesProps) {
  const crons = useQuery(read(`${scriptPath}/schedules`, names));
  return (
    <Card
      title="Crons"
      actions={
        crons.data !== undefined && (
          <DialogButton label="Change crons" size="small">
            {(close) => (
              <CronForm names={names} before={crons.data.schedules.map(({ cron }) => cron)} onClose={close} />
            )}
          </DialogButton>
        )
      }
    >
      <Resource of={crons} rows={1}>
        {({ schedules }) =>
          schedules.length === 0 ? (
            <Empty title="No crons yet" command="npx wrangler triggers deploy">
              Set its crons here, or in the configuration of the project.
            </Empty>
          ) : (
            <ul>
              {schedules.map(({ cron }) => (
                <li key={cron}>
                  <code>{cron}</code>
                </li>
              ))}
            </ul>
          )
        }
      </Resource>
    </Card>
  );
}

interface DeleteRouteProps {
  readonly id: string;
  readonly pattern: string;
  readonly zone_id: string;
}

function DeleteRoute({ id, pattern, zone_id }: DeleteRouteProps) {
  return (
    <ConfirmButton
      label="Delete"
      aria-label={`Delete ${pattern}`}
      title={`Delete ${pattern}?`}
      action="Delete"
      write={() => client.delete('/zones/{zone_id}/workers/routes/{route_id}', { zone_id, route_id: id })}
      done={`${pattern} is deleted`}
      failed="The route was not deleted"
    >
      <p>
        Its requests go to the origin of the site, or to the Worker of another route. The next deployment
        creates it again.
      </p>
    </ConfirmButton>
  );
}

interface CronFormProps extends NamesProps {
  readonly before: readonly string[];
  readonly onClose: () => void;
}

function CronForm({ names, before, onClose }: CronFormProps) {
  const [text, setText] = useState(before.join('\n'));
  const change = useWrite({
    write: () =>
      client.put(`${scriptPath}/schedules`, {
        ...names,
        body: text
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line !== '')
          .map((cron) => ({ cron })),
      }),
    done: 'The crons are changed',
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Change crons"
      action="Save crons"
      work={change}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <TextField label="Crons" hint="One per line, in UTC." rows={4} isCode value={text} onChange={setText} />
    </FormDialog>
  );
}
