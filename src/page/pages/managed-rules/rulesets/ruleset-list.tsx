/** The managed rulesets that the plan has: which are deployed, and what they do. */
import { Link } from '@tanstack/react-router';
import type { EntryPoint, StoredRule } from '../../../api/managed/entry-point.ts';
import { useZone, useZoneId } from '../../../api/queries.ts';
import { Button } from '../../../parts/button.tsx';
import { Card } from '../../../parts/card.tsx';
import { Pill } from '../../../parts/pill.tsx';
import { Empty } from '../../../parts/reading/states.tsx';
import { Switch } from '../../../parts/forms/switch.tsx';
import { useWrite } from '../../../parts/forms/use-write.ts';
import { type Change, changeEntryPoint, type ManagedRuleset } from '../ruleset-api.ts';
import { ContentNote } from './content-note.tsx';
import { createDeployment, describeDeploy, describeDeployment, findDeployment } from './deployment.ts';

interface RulesetListProps {
  readonly rulesets: readonly ManagedRuleset[];
  readonly entryPoint: EntryPoint | null;
}

export function RulesetList({ rulesets, entryPoint }: RulesetListProps) {
  const zone = useZone();
  return (
    <Card title="Managed rulesets">
      {rulesets.length === 0 ? (
        <Empty
          title="The plan of this site has no managed rulesets"
          command={`gatehouse zones update ${zone.name} --plan pro`}
        >
          Choose another plan in Settings.
        </Empty>
      ) : (
        <ul className="list list-lined">
          {rulesets.map((ruleset) => (
            <RulesetRow key={ruleset.id} ruleset={ruleset} entryPoint={entryPoint} />
          ))}
        </ul>
      )}
    </Card>
  );
}

interface RulesetRowProps {
  readonly ruleset: ManagedRuleset;
  readonly entryPoint: EntryPoint | null;
}

function RulesetRow({ ruleset: { id, name, description, content }, entryPoint }: RulesetRowProps) {
  const zoneId = useZoneId();
  const rule = findDeployment(entryPoint, id);
  const change = useWrite({
    write: (wanted: Change) => changeEntryPoint(zoneId, entryPoint, wanted),
    done: `Saved ${name}`,
    failed: `${name} could not be changed`,
  });
  return (
    <li className="row">
      <div className="grow">
        <p>
          <Link
            to="/zones/$zoneId/managed-rules"
            params={{ zoneId }}
            search={{ ruleset: id }}
            className="strong-link"
          >
            {name}
          </Link>{' '}
          <StatePill rule={rule} />
        </p>
        <p className="soft">{description}</p>
        <ContentNote content={content} />
        <p className="soft">{rule === undefined ? describeDeploy(id) : describeDeployment(id, rule)}</p>
      </div>
      {rule === undefined ? (
        <Button
          look="primary"
          aria-label={`Deploy ${name}`}
          isBusy={change.isPending}
          onClick={() => change.mutate({ rule: createDeployment(id) })}
        >
          Deploy
        </Button>
      ) : (
        <Switch
          label={name}
          isOn={(change.isPending ? change.variables.rule : rule)?.enabled ?? true}
          onChange={(enabled) => change.mutate({ seen: rule, rule: { ...rule, enabled } })}
        />
      )}
    </li>
  );
}

export function StatePill({ rule }: { readonly rule: StoredRule | undefined }) {
  if (rule === undefined) return <Pill>not deployed</Pill>;
  return rule.enabled ? <Pill tone="good">on</Pill> : <Pill tone="warn">off</Pill>;
}
