/** The alarms that are set, the next one first. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { actions, Table, TableHead } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { AlarmButtons } from './alarm-buttons.tsx';
import { alarmsQuery, type ObjectAlarm, toPathName } from './object-queries.ts';

export function AlarmList({ accountId }: { readonly accountId: string }) {
  const alarms = useQuery({ ...alarmsQuery(accountId), refetchInterval: 5_000 });
  if (alarms.isPending) return <Loading rows={5} />;
  if (alarms.isError) return <Failed error={alarms.error} onRetry={() => void alarms.refetch()} />;
  if (alarms.data.length === 0) {
    return (
      <Empty title="No alarm is set">
        <p>An alarm that an object sets with storage.setAlarm() appears here until it has run.</p>
      </Empty>
    );
  }
  return (
    <Table label="Alarms">
      <TableHead columns={['Object', 'Class', 'Due', actions]} />
      <tbody>
        {alarms.data.map((alarm) => (
          <AlarmRow key={alarm.class + alarm.id} accountId={accountId} alarm={alarm} />
        ))}
      </tbody>
    </Table>
  );
}

function AlarmRow({ accountId, alarm }: { readonly accountId: string; readonly alarm: ObjectAlarm }) {
  const { class: className, id, name, zone_name: zoneName } = alarm;
  const object = toPathName(alarm);
  return (
    <tr>
      <td>
        <Link to="/objects" search={{ class: className, object }} className="strong-link objects-name">
          {zoneName ?? name ?? `${id.slice(0, 12)}…`}
        </Link>
      </td>
      <td>{className}</td>
      <td>
        <Time at={alarm.alarm_on} />{' '}
        <span className="soft">
          (<Time at={alarm.alarm_on} isRelative />)
        </span>
      </td>
      <td>
        <AlarmButtons place={{ accountId, className, object }} can={alarm} />
      </td>
    </tr>
  );
}
