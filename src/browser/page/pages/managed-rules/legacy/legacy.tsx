/** The previous managed rules: the switch of the zone, then package by package. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Result } from '#client';
import { useZone, useZoneId } from '../../../api/queries.ts';
import { read } from '../../../api/read.ts';
import { Card } from '../../../parts/card.tsx';
import { Confirm } from '../../../parts/forms/dialog.tsx';
import { Switch } from '../../../parts/forms/switch.tsx';
import { useWrite } from '../../../parts/forms/use-write.ts';
import { StatePill } from '../../../parts/pill.tsx';
import { Resource } from '../../../parts/reading/resource.tsx';
import { Empty } from '../../../parts/reading/states.tsx';
import { showWithUndo, tell } from '../../../parts/toasts.tsx';
import { editSwitch, packagesQuery } from './legacy-api.ts';
import { Overrides } from './overrides.tsx';
import { PackageView } from './package-view.tsx';

export function LegacyRules() {
  const zone_id = useZoneId();
  const setting = useQuery(read('/zones/{zone_id}/settings/{setting_id}', { zone_id, setting_id: 'waf' }));
  return (
    <>
      <Resource of={setting} rows={2}>
        {(waf) => <MainSwitch waf={waf} />}
      </Resource>
      <Resource of={useQuery(packagesQuery(zone_id))} rows={8} empty={<None />}>
        {(packages) => (
          <>
            {packages.map((ofZone) => (
              <PackageView key={ofZone.id} ofZone={ofZone} />
            ))}
            <Overrides packages={packages} />
          </>
        )}
      </Resource>
    </>
  );
}

function MainSwitch({ waf }: { readonly waf: Result<'settings.get'> }) {
  const { id, name } = useZone();
  const [isAsking, setAsking] = useState(false);
  const undoing = useWrite({
    write: () => editSwitch(id, { ...waf, value: 'off' }, 'on'),
    done: 'Managed rules are on again',
    failed: 'The managed rules could not be turned on again',
  });
  const change = useWrite({
    write: (value: 'on' | 'off') => editSwitch(id, waf, value),
    failed: 'The managed rules could not be switched',
    onDone(_, value) {
      setAsking(false);
      if (value === 'on') tell('Managed rules are on');
      else
        showWithUndo('Managed rules are off', `No package checks requests to ${name} now.`, undoing.mutate);
    },
  });
  const isOn = (change.isPending ? change.variables : waf.value) === 'on';
  return (
    <Card
      title={
        <>
          Managed rules are {isOn ? 'on' : 'off'}{' '}
          <StatePill isOn={isOn} words={['protecting', 'not protecting']} off="warn" />
        </>
      }
      actions={
        <Switch
          label="Managed rules"
          isOn={isOn}
          isDisabled={!waf.editable}
          onChange={(turnsOn) => (turnsOn ? change.mutate('on') : setAsking(true))}
        />
      }
    >
      <p className="soft">
        {isOn
          ? `Requests to ${name} are checked by the packages below, unless a page rule or a bypass rule excepts them.`
          : `Nothing below acts on requests to ${name}, except where a page rule turns managed rules on, and rules 100043A, WP0025B and 100030.`}
      </p>
      {isAsking && (
        <Confirm
          title="Turn managed rules off?"
          action="Turn off"
          isBusy={change.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => change.mutate('off')}
        >
          <p>
            From then on no package checks requests to {name}. What is set below is kept, and three rules
            (100043A, WP0025B, 100030) stay in force.
          </p>
        </Confirm>
      )}
    </Card>
  );
}

function None() {
  return (
    <Empty
      title="This site has no packages of managed rules"
      command={`gatehouse zones update ${useZone().name} --plan pro`}
    >
      They need the Pro plan or a larger one.
    </Empty>
  );
}
