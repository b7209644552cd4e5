/** The zone settings of the API: the one that has an effect as a switch, the others as a table. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Result } from '#client';
import { fixedSettings } from '#zone-settings';
import { client } from '../../api/client.ts';
import { useZone, useZoneId } from '../../api/queries.ts';
import { read } from '../../api/read.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { useWrite } from '../../parts/forms/use-write.ts';
import { ConfirmButton } from '../../parts/forms/write-button.tsx';
import { StatePill } from '../../parts/pill.tsx';
import { Resource } from '../../parts/reading/resource.tsx';
import { showWithUndo } from '../../parts/toasts.tsx';

type ZoneSetting = Result<'settings.list'>[number];

const path = '/zones/{zone_id}/settings';

export function ManagedSwitchCard() {
  const settings = useQuery(read(path, { zone_id: useZoneId() }));
  return (
    <Card title="Legacy managed rules">
      <Resource of={settings} rows={1}>
        {(all) => <ManagedSwitch waf={all.find(({ id }) => id === 'waf')!} />}
      </Resource>
    </Card>
  );
}

function ManagedSwitch({ waf }: { readonly waf: ZoneSetting }) {
  const zoneId = useZoneId();
  const isOn = waf.value === 'on';
  return (
    <div className="row">
      <StatePill isOn={isOn} words={['on', 'off']} />
      {waf.editable ? (
        <ManagedSwitchButton isOn={isOn} />
      ) : (
        <span className="soft">
          Read-only: the plan does not include them, or the site uses the new managed rules.
        </span>
      )}
      <Link to="/zones/$zoneId/managed-rules" params={{ zoneId }}>
        Managed rules
      </Link>
    </div>
  );
}

function ManagedSwitchButton({ isOn }: { readonly isOn: boolean }) {
  const { id: zone_id, name } = useZone();
  const send = (value: 'on' | 'off') =>
    client.patch(`${path}/{setting_id}`, { zone_id, setting_id: 'waf', body: { value } });
  const turningOn = useWrite({
    write: () => send('on'),
    done: 'Legacy managed rules are on',
    failed: 'The setting was not changed',
  });
  if (!isOn)
    return (
      <Button isBusy={turningOn.isPending} onClick={() => turningOn.mutate()}>
        Turn on
      </Button>
    );
  return (
    <ConfirmButton
      label="Turn off"
      look="plain"
      title="Turn legacy managed rules off?"
      action="Turn off"
      write={() => send('off')}
      failed="The setting was not changed"
      onDone={() =>
        showWithUndo(
          'Legacy managed rules are off',
          `No package checks requests to ${name} now.`,
          turningOn.mutate,
        )
      }
    >
      <p>From then on no package of legacy managed rules checks requests to {name}. Its settings are kept.</p>
    </ConfirmButton>
  );
}

const columns: readonly Column<ZoneSetting>[] = [
  { title: 'Setting', kind: 'mono', cell: ({ id }) => id },
  {
    title: 'Value',
    kind: 'mono',
    cell: ({ value }) => (typeof value === 'string' ? value : JSON.stringify(value)),
  },
  { title: 'Why', cell: ({ id }) => fixedSettings.get(id)?.reason },
];

export function FixedSettingsCard() {
  const { data = [] } = useQuery(read(path, { zone_id: useZoneId() }));
  const fixed = data.filter(({ id }) => fixedSettings.has(id));
  return (
    <Card title="Other zone settings">
      <p className="soft">
        Cloudflare settings that have no effect here. The API stores and returns them because tools read and
        set all settings.
      </p>
      <details>
        <summary>Show {fixed.length || 'the'} settings</summary>
        <DataTable label="Fixed settings" className="scrolling" columns={columns} rows={fixed} />
      </details>
    </Card>
  );
}
