/** One package: its sensitivity, its groups, its rules. */
import { useQuery } from '@tanstack/react-query';
import { useZoneId } from '../../../api/queries.ts';
import { readWithNotes } from '../../../api/read.ts';
import { Card } from '../../../parts/card.tsx';
import { SelectField } from '../../../parts/forms/field.tsx';
import { Resource } from '../../../parts/reading/resource.tsx';
import { together } from '../../../parts/reading/together.ts';
import { useWrite } from '../../../parts/forms/use-write.ts';
import { ScoreNotes } from '../score-notes.tsx';
import { GroupList } from './group-list.tsx';
import {
  editPackage,
  groupsQuery,
  type LegacyPackage,
  type PackageEdits,
  packagePath,
  rulesQuery,
} from './legacy-api.ts';
import { LegacyRuleList } from './rule-list.tsx';

interface PackageProps {
  readonly ofZone: LegacyPackage;
}

/** Titles by the subjects of the packages; the API's names are those of other tools. */
const titles: Readonly<Record<string, string>> = {
  CloudFlare: 'Cloudflare rules',
  OWASP: 'OWASP rules',
  USER: 'Rules on request',
};

export function PackageView({ ofZone }: PackageProps) {
  const zoneId = useZoneId();
  const title = titles[ofZone.name] ?? ofZone.name;
  const isScored = ofZone.detection_mode === 'anomaly';
  const known = together({
    groups: useQuery(groupsQuery(zoneId, ofZone.id)),
    rules: useQuery(rulesQuery(zoneId, ofZone.id)),
  });
  return (
    <Card title={title}>
      <div className="stack">
        {ofZone.description !== null && (
          <p className="soft">
            {ofZone.description} Package <code>{ofZone.name}</code>.
          </p>
        )}
        {isScored && <Strictness ofZone={ofZone} />}
        <Resource of={known} rows={6}>
          {({ groups, rules }) =>
            rules.length === 0 ? (
              // Notes above explain why a scoring package has none.
              !isScored && <p>This package has no rules on this site.</p>
            ) : (
              <>
                <GroupList groups={groups} />
                <LegacyRuleList title={title} groups={groups} rules={rules} />
              </>
            )
          }
        </Resource>
      </div>
    </Card>
  );
}

const sensitivities = {
  high: 'High: 25 points or more',
  medium: 'Medium: 40 points or more',
  low: 'Low: 60 points or more',
  default: 'Default: 25 points or more',
  off: 'Off: the package does nothing',
};

const actions = { block: 'Block', challenge: 'Challenge', simulate: 'Simulate: only log' };

function Strictness({ ofZone }: PackageProps) {
  const zone_id = useZoneId();
  const { data } = useQuery(readWithNotes(packagePath, { zone_id, package_id: ofZone.id }));
  const change = useWrite({
    write: ({ seen, edits }: { readonly seen: LegacyPackage; readonly edits: PackageEdits }) =>
      editPackage(zone_id, seen, edits),
    inTurn: `package ${ofZone.id}`,
    done: `Saved the settings of ${ofZone.name}`,
    failed: `The settings of ${ofZone.name} could not be saved`,
  });
  const unsaved = change.isPending ? change.variables.edits : {};
  const shown = { ...ofZone, ...unsaved };
  const edit = (edits: PackageEdits): void => change.mutate({ seen: shown, edits: { ...unsaved, ...edits } });
  return (
    <>
      <ScoreNotes notes={data?.notes} />
      <div className="grid">
        <SelectField
          label="Sensitivity"
          hint="Each rule that matches adds points; requests from scripts in pages need more."
          options={sensitivities}
          value={shown.sensitivity!}
          onChange={(sensitivity) => edit({ sensitivity })}
        />
        <SelectField
          label="Action"
          hint="What happens to a request with that many points."
          options={actions}
          value={shown.action_mode!}
          onChange={(action_mode) => edit({ action_mode })}
        />
      </div>
    </>
  );
}
