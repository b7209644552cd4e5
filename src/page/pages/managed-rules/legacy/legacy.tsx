/** The previous managed rules: the switch of the zone, then package by package. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Zone } from '../../../api/types.ts';
import { Card } from '../../../parts/card.tsx';
import { Confirm } from '../../../parts/dialog.tsx';
import { Pill } from '../../../parts/pill.tsx';
import { Empty, Failed, Loading } from '../../../parts/states.tsx';
import { useChange } from '../changes.ts';
import { Switch } from '../switch.tsx';
import { editSwitch, packagesQuery, switchQuery } from './legacy-api.ts';
import { Overrides } from './overrides.tsx';
import { PackageView } from './package-view.tsx';

export function LegacyRules({ zone }: { readonly zone: Zone }) {
  const packages = useQuery(packagesQuery(zone.id));
  return (
    <>
      <MainSwitch zone={zone} />
      {packages.isPending ? (
        <Loading rows={8} />
      ) : packages.isLoadingError ? (
        <Failed error={packages.error} onRetry={() => void packages.refetch()} />
      ) : packages.data.length === 0 ? (
        <Empty title="This site has no packages of managed rules">
          <p>They need the Pro plan or a larger one.</p>
        </Empty>
      ) : (
        packages.data.map((ofZone) => <PackageView key={ofZone.id} zone={zone} ofZone={ofZone} />)
      )}
      {packages.isSuccess && <Overrides zone={zone} packages={packages.data} />}
    </>
  );
}

function MainSwitch({ zone }: { readonly zone: Zone }) {
  const setting = useQuery(switchQuery(zone.id));
  const [isAsking, setAsking] = useState(false);
  const change = useChange({
    zoneId: zone.id,
    change: (value: 'on' | 'off') => editSwitch(zone.id, setting.data!, value),
    done: 'Saved',
    failed: 'The managed rules could not be switched',
    onDone: () => setAsking(false),
  });
  if (setting.isPending) return <Loading rows={2} />;
  if (setting.isLoadingError) return <Failed error={setting.error} onRetry={() => void setting.refetch()} />;
  const isOn = (change.isPending ? change.variables : setting.data.value) === 'on';
  return (
    <Card
      title={
        <>
          Managed rules are {isOn ? 'on' : 'off'}{' '}
          <Pill tone={isOn ? 'good' : 'warn'}>{isOn ? 'protecting' : 'not protecting'}</Pill>
        </>
      }
      actions={
        <Switch
          label="Managed rules"
          isOn={isOn}
          isDisabled={!setting.data.editable}
          onChange={(turnsOn) => (turnsOn ? change.mutate('on') : setAsking(true))}
        />
      }
    >
      <p className="soft">
        {isOn
          ? `Requests to ${zone.name} are checked by the packages below, unless a page rule or a bypass rule excepts them.`
          : `Nothing below acts on requests to ${zone.name}, except where a page rule turns managed rules on, and rules 100043A, WP0025B and 100030.`}
      </p>
      <Confirm
        title="Turn managed rules off?"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => change.mutate('off')}
        action="Turn off"
        isBusy={change.isPending}
      >
        <p>
          From then on no package checks requests to {zone.name}. What is set below is kept, and three rules
          (100043A, WP0025B, 100030) stay in force.
        </p>
      </Confirm>
    </Card>
  );
}
