/** One package: how strict it is, its groups, its rules. */
import { useQuery } from '@tanstack/react-query';
import type { Zone } from '../../../api/types.ts';
import { Card } from '../../../parts/card.tsx';
import { Field, Select } from '../../../parts/field.tsx';
import { Failed, Loading } from '../../../parts/states.tsx';
import { useChange } from '../changes.ts';
import { ScoreNotes } from '../score-notes.tsx';
import { GroupList } from './group-list.tsx';
import { editPackage, groupsQuery, type LegacyPackage, rulesQuery } from './legacy-api.ts';
import { LegacyRuleList } from './rule-list.tsx';

interface PackageProps {
  readonly zone: Zone;
  readonly ofZone: LegacyPackage;
}

/** What the packages are about; the API's names are those that other tools use. */
const titles: Readonly<Record<string, string>> = {
  CloudFlare: 'Cloudflare rules',
  OWASP: 'OWASP rules',
  USER: 'Rules on request',
};

export function PackageView({ zone, ofZone }: PackageProps) {
  const groups = useQuery(groupsQuery(zone.id, ofZone.id));
  const rules = useQuery(rulesQuery(zone.id, ofZone.id));
  const isScored = ofZone.detection_mode === 'anomaly';
  const failed = groups.isLoadingError ? groups : rules.isLoadingError ? rules : undefined;
  return (
    <Card title={titles[ofZone.name] ?? ofZone.name} className="managed-rules-package">
      <div className="stack">
        {ofZone.description !== null && (
          <p className="soft">
            {ofZone.description} Package <code>{ofZone.name}</code>.
          </p>
        )}
        {isScored && (
          <>
            <ScoreNotes zoneId={zone.id} path={`/firewall/waf/packages/${ofZone.id}`} />
            <Strictness zone={zone} ofZone={ofZone} />
          </>
        )}
        {failed !== undefined ? (
          <Failed error={failed.error} onRetry={() => void failed.refetch()} />
        ) : groups.data === undefined || rules.data === undefined ? (
          <Loading rows={6} />
        ) : rules.data.length === 0 ? (
          // Notes above say why a package that scores has none.
          !isScored && <p>This package has no rules on this site.</p>
        ) : (
          <>
            <GroupList zoneId={zone.id} groups={groups.data} />
            <LegacyRuleList
              zoneId={zone.id}
              title={titles[ofZone.name] ?? ofZone.name}
              groups={groups.data}
              rules={rules.data}
            />
          </>
        )}
      </div>
    </Card>
  );
}

const sensitivities = [
  ['high', 'High: 25 points or more'],
  ['medium', 'Medium: 40 points or more'],
  ['low', 'Low: 60 points or more'],
  ['off', 'Off: the package does nothing'],
] as const;

const actions = [
  ['block', 'Block'],
  ['challenge', 'Challenge'],
  ['simulate', 'Simulate: only log'],
] as const;

function Strictness({ zone, ofZone }: PackageProps) {
  const change = useChange({
    zoneId: zone.id,
    change: (body: Partial<LegacyPackage>) => editPackage(zone.id, ofZone, body),
    done: `Saved the settings of ${ofZone.name}`,
    failed: `The settings of ${ofZone.name} could not be saved`,
  });
  const shown = change.isPending ? { ...ofZone, ...change.variables } : ofZone;
  return (
    <div className="managed-rules-fields">
      <Field
        label="Sensitivity"
        hint="Each rule that matches adds points; requests of scripts in pages need more."
      >
        <Select
          value={shown.sensitivity}
          onChange={({ target }) =>
            change.mutate({ sensitivity: target.value as NonNullable<LegacyPackage['sensitivity']> })
          }
        >
          {sensitivities.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Action" hint="What happens to a request with that many points.">
        <Select
          value={shown.action_mode}
          onChange={({ target }) =>
            change.mutate({ action_mode: target.value as NonNullable<LegacyPackage['action_mode']> })
          }
        >
          {actions.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  );
}
