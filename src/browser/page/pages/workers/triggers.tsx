/** The triggers of a Worker: routes, custom domains and schedules. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../../api/client.ts';
import { read } from '../../api/read.ts';
import { Card } from '../../parts/card.tsx';
import { DialogButton } from '../../parts/forms/dialog.tsx';
import { TextField } from '../../parts/forms/field.tsx';
import { WriteDialog } from '../../parts/forms/form.tsx';
import { ConfirmButton } from '../../parts/forms/write-button.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { TableCard } from '../../parts/table-card.tsx';
import { scriptPath, type WorkerNames } from './worker-queries.ts';

interface NamesProps {
  readonly names: WorkerNames;
}

const routesPath = '/zones/{zone_id}/workers/routes';

export function Triggers({ names }: NamesProps) {
  return (
    <>
      <Routes names={names} />
      <Crons names={names} />
    </>
  );
}

function Routes({ names }: NamesProps) {
  return (
    <TableCard
      title="Routes and custom domains"
      label="Routes"
      of={useQuery(read(`${scriptPath}/routes`, names))}
      rows={2}
      empty={
        <Empty title="No routes yet" command="npx wrangler deploy">
          Add routes to the configuration of the project, and deploy it.
        </Empty>
      }
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
          cell: ({ id, pattern, zone_id }) => (
            <ConfirmButton
              label="Delete"
              aria-label={`Delete ${pattern}`}
              title={`Delete ${pattern}?`}
              action="Delete"
              write={() => client.delete(`${routesPath}/{route_id}`, { zone_id, route_id: id })}
              done={`${pattern} is deleted`}
              failed="The route was not deleted"
            >
              <p>
                Its requests go to the origin of the site, or to the Worker of another route. The next
                deployment creates it again.
              </p>
            </ConfirmButton>
          ),
        },
      ]}
    />
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

interface CronFormProps extends NamesProps {
  readonly before: readonly string[];
  readonly onClose: () => void;
}

function CronForm({ names, before, onClose }: CronFormProps) {
  return (
    <WriteDialog
      title="Change crons"
      action="Save crons"
      initial={{ text: before.join('\n') }}
      write={({ text }) => {
        const lines = text.split('\n').map((line) => line.trim());
        const body = lines.filter((line) => line !== '').map((cron) => ({ cron }));
        return client.put(`${scriptPath}/schedules`, { ...names, body });
      }}
      done="The crons are changed"
      onClose={onClose}
    >
      {(bind) => <TextField label="Crons" hint="One per line, in UTC." rows={4} isCode {...bind('text')} />}
    </WriteDialog>
  );
}
