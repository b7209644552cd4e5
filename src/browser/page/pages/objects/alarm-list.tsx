/** The scheduled alarms, the next one first. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAccountId } from '../../api/queries.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { Empty } from '../../parts/reading/states.tsx';
import { Time } from '../../parts/time.tsx';
import { AlarmButtons } from './alarm-buttons.tsx';
import {
  alarmsQuery,
  nameOf,
  type ObjectAlarm,
  type ShownObjectPlace,
  searchFor,
  toPathName,
} from './object-queries.ts';

const none = (
  <Empty title="No alarm is set" command="gatehouse objects alarms">
    An alarm that an object sets with storage.setAlarm() appears here until it has run.
  </Empty>
);

export function AlarmList() {
  const account_id = useAccountId();
  const placeOf = (alarm: ObjectAlarm): ShownObjectPlace => ({
    account_id,
    class_name: alarm.class,
    object: toPathName(alarm),
  });
  const columns: readonly Column<ObjectAlarm>[] = [
    {
      title: 'Object',
      cell: (alarm) => (
        <Link to="/objects" search={searchFor(placeOf(alarm))} className="strong-link">
          {nameOf(alarm)}
        </Link>
      ),
    },
    { title: 'Class', cell: (alarm) => alarm.class },
    {
      title: 'Due',
      cell: ({ alarm_on }) => (
        <>
          <Time at={alarm_on} />{' '}
          <span className="soft">
            (<Time at={alarm_on} isRelative />)
          </span>
        </>
      ),
    },
    {
      title: 'Actions',
      kind: 'actions',
      cell: (alarm) => <AlarmButtons place={placeOf(alarm)} can={alarm} />,
    },
  ];
  return (
    <Resource of={useQuery({ ...alarmsQuery(account_id), refetchInterval: 5_000 })} rows={5} empty={none}>
      {(alarms) => (
        <DataTable label="Alarms" columns={columns} rows={alarms} keyOf={(alarm) => alarm.class + alarm.id} />
      )}
    </Resource>
  );
}
