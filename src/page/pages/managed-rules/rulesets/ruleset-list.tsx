/** The managed rulesets that the plan has: which are deployed, and what they do. */
import { Link } from '@tanstack/react-router';
import type { Zone } from '../../../api/types.ts';
import { owaspRulesetId } from '../../../api/managed-rulesets.ts';
import { Button } from '../../../parts/button.tsx';
import { Card } from '../../../parts/card.tsx';
import { Pill } from '../../../parts/pill.tsx';
import { Empty } from '../../../parts/states.tsx';
import { useChange } from '../changes.ts';
import { ContentNote } from './content-note.tsx';
import { Switch } from '../switch.tsx';
import { chooseFirstOverrides, isParanoiaOnly, readParanoiaLevel, type Overrides } from './overrides.ts';
import {
  changeEntryPoint,
  type Change,
  type EntryPoint,
  type ExecuteRule,
  type ManagedRuleset,
  toSentExecute,
} from '../ruleset-api.ts';

interface RulesetListProps {
  readonly zone: Zone;
  readonly rulesets: readonly ManagedRuleset[];
  readonly entryPoint: EntryPoint | null;
}

export function findDeployment(entryPoint: EntryPoint | null, rulesetId: string): ExecuteRule | undefined {
  return entryPoint?.rules.find(
    (rule): rule is ExecuteRule => rule.action === 'execute' && rule.action_parameters.id === rulesetId,
  );
}

export function RulesetList({ zone, rulesets, entryPoint }: RulesetListProps) {
  return (
    <Card title="Managed rulesets">
      {rulesets.length === 0 ? (
        <Empty title="The plan of this site has no managed rulesets">
          <p>Choose another plan in Settings.</p>
        </Empty>
      ) : (
        <ul className="managed-rules-rulesets">
          {rulesets.map((ruleset) => (
            <RulesetRow key={ruleset.id} zone={zone} ruleset={ruleset} entryPoint={entryPoint} />
          ))}
        </ul>
      )}
    </Card>
  );
}

interface RulesetRowProps {
  readonly zone: Zone;
  readonly ruleset: ManagedRuleset;
  readonly entryPoint: EntryPoint | null;
}

function RulesetRow({ zone, ruleset, entryPoint }: RulesetRowProps) {
  const rule = findDeployment(entryPoint, ruleset.id);
  const change = useChange({
    zoneId: zone.id,
    change: (wanted: Change) => changeEntryPoint(zone.id, entryPoint, wanted),
    done: `Saved ${ruleset.name}`,
    failed: `${ruleset.name} could not be changed`,
  });
  return (
    <li className="managed-rules-ruleset">
      <div className="managed-rules-what">
        <p className="managed-rules-name">
          <Link
            to="/zones/$zoneId/managed-rules"
            params={{ zoneId: zone.id }}
            search={{ ruleset: ruleset.id }}
            className="strong-link"
          >
            {ruleset.name}
          </Link>{' '}
          <StatePill rule={rule} />
        </p>
        <p className="soft">{ruleset.description}</p>
        <ContentNote content={ruleset.content} />
        <p className="soft">{rule === undefined ? describeDeploy(ruleset.id) : describeDeployment(rule)}</p>
      </div>
      {rule === undefined ? (
        <Button
          look="primary"
          aria-label={`Deploy ${ruleset.name}`}
          isBusy={change.isPending}
          onClick={() => change.mutate({ kind: 'add', rule: createDeployment(ruleset.id) })}
        >
          Deploy
        </Button>
      ) : (
        <Switch
          label={ruleset.name}
          isOn={change.isPending ? !rule.enabled : rule.enabled}
          onChange={(enabled) =>
            change.mutate({ kind: 'edit', seen: rule, rule: { ...toSentExecute(rule), enabled } })
          }
        />
      )}
    </li>
  );
}

export function StatePill({ rule }: { readonly rule: ExecuteRule | undefined }) {
  if (rule === undefined) return <Pill>not deployed</Pill>;
  return rule.enabled ? <Pill tone="good">on</Pill> : <Pill tone="warn">off</Pill>;
}

export function createDeployment(rulesetId: string): ReturnType<typeof toSentExecute> {
  const overrides = chooseFirstOverrides(rulesetId);
  return {
    action: 'execute',
    expression: 'true',
    enabled: true,
    action_parameters: { id: rulesetId, ...(overrides === undefined ? {} : { overrides }) },
  };
}

function describeDeployment({ expression, action_parameters: { id, overrides = {} } }: ExecuteRule): string {
  const parts = [
    expression === 'true' ? 'All requests' : 'Some requests only',
    ...(id === owaspRulesetId ? describeScore(overrides) : []),
    describeOverrides(overrides),
  ];
  return `${parts.join(', ')}.`;
}

/** What deploying will do beyond turning the ruleset on. */
export function describeDeploy(rulesetId: string): string {
  return rulesetId === owaspRulesetId ? 'Starts at paranoia level 1; raise it later.' : '';
}

function describeScore(overrides: Overrides): readonly string[] {
  const own = overrides.rules?.find(({ score_threshold }) => score_threshold !== undefined);
  return [
    `paranoia level ${readParanoiaLevel(overrides)}`,
    ...(own === undefined ? [] : [`score threshold ${own.score_threshold}`]),
    ...(own?.action === undefined ? [] : [`action ${own.action.replaceAll('_', ' ')}`]),
  ];
}

/** Without those that the score says already. */
function describeOverrides({ action, enabled, categories = [], rules = [] }: Overrides): string {
  const count =
    (action === undefined && enabled === undefined ? 0 : 1) +
    categories.filter((each) => !isParanoiaOnly(each)).length +
    rules.filter(({ score_threshold }) => score_threshold === undefined).length;
  return count === 0 ? 'no overrides' : `${count} ${count === 1 ? 'override' : 'overrides'}`;
}
