/** The zone settings of the API: the one that has an effect as a switch, the others as a table. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../../api/client.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Pill } from '../../parts/pill.tsx';
import { Failed, Loading } from '../../parts/states.tsx';
import { tell, tellError } from '../../parts/toasts.tsx';
import { Table, TableHead } from '../../parts/table.tsx';
import { settingsQuery, type ZoneSetting } from './zone-settings.ts';

export function ManagedSwitchCard({ zoneId }: { readonly zoneId: string }) {
  const settings = useQuery(settingsQuery(zoneId));
  const waf = settings.data?.find(({ id }) => id === 'waf');
  return (
    <Card title="Legacy managed rules">
      {settings.isPending ? (
        <Loading rows={1} />
      ) : waf === undefined ? (
        <Failed error={settings.error} onRetry={() => void settings.refetch()} />
      ) : (
        <ManagedSwitch zoneId={zoneId} waf={waf} />
      )}
    </Card>
  );
}

function ManagedSwitch({ zoneId, waf }: { readonly zoneId: string; readonly waf: ZoneSetting }) {
  const queries = useQueryClient();
  const isOn = waf.value === 'on';
  const saving = useMutation({
    mutationFn: (value: 'on' | 'off') =>
      client.patch('/zones/{zone_id}/settings/{setting_id}', {
        zone_id: zoneId,
        setting_id: 'waf',
        body: { value },
      }),
    onSuccess(_, value) {
      tell(`Legacy managed rules are ${value}`);
      void queries.invalidateQueries({ queryKey: ['settings', zoneId] });
    },
    onError: (error) => tellError('The setting was not changed', error),
  });
  return (
    <div className="row">
      <Pill tone={isOn ? 'good' : 'neutral'}>{isOn ? 'on' : 'off'}</Pill>
      {waf.editable ? (
        <Button isBusy={saving.isPending} onClick={() => saving.mutate(isOn ? 'off' : 'on')}>
          {isOn ? 'Turn off' : 'Turn on'}
        </Button>
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

export function FixedSettingsCard({ zoneId }: { readonly zoneId: string }) {
  const settings = useQuery(settingsQuery(zoneId));
  const fixed = (settings.data ?? []).filter(({ id }) => id !== 'waf');
  return (
    <Card title="Other zone settings">
      <p className="soft">
        Settings of Cloudflare that have no effect here. Their values are fixed, so that nobody relies on
        them; the API shows them because tools read them all.
      </p>
      <details className="settings-fixed">
        <summary>Show {fixed.length || 'the'} settings</summary>
        <Table label="Fixed settings">
          <TableHead columns={['Setting', 'Value']} />
          <tbody>
            {fixed.map(({ id, value }) => (
              <tr key={id}>
                <td className="mono">{id}</td>
                <td className="mono">{typeof value === 'string' ? value : JSON.stringify(value)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </details>
    </Card>
  );
}
