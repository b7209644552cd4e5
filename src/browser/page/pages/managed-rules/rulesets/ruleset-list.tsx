/** The managed rulesets of the plan: which are deployed, and their effects. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { EntryPoint, StoredRule } from '../../../api/managed/entry-point.ts';
import { useZone, useZoneId } from '../../../api/queries.ts';
import { Card } from '../../../parts/card.tsx';
import { Switch } from '../../../parts/forms/switch.tsx';
import { useWrite } from '../../../parts/forms/use-write.ts';
import { WriteButton } from '../../../parts/forms/write-button.tsx';
import { Pill, StatePill } from '../../../parts/pill.tsx';
import { Empty } from '../../../parts/reading/states.tsx';
import { showWithUndo, tell } from '../../../parts/toasts.tsx';
import { changeEntryPoint, type ManagedRuleset, turnOnAgain } from '../ruleset-api.ts';
import { ContentNote } from './content-note.tsx';
import {
  createDeployment,
  describeDeploy,
  describeDeployment,
  findDeployment,
  isLastToProtect,
} from './deployment.ts';
import { UnprotectDialog } from './unprotect-dialog.tsx';

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
          <RulesetState rule={rule} />
        </p>
        <p className="soft">{description}</p>
        <ContentNote content={content} />
        <p className="soft">{rule === undefined ? describeDeploy(id) : describeDeployment(id, rule)}</p>
      </div>
      {rule === undefined ? (
        <WriteButton
          look="primary"
          aria-label={`Deploy ${name}`}
          write={() => changeEntryPoint(zoneId, entryPoint, { rule: createDeployment(id) })}
          done={`Saved ${name}`}
          failed={`${name} could not be changed`}
        >
          Deploy
        </WriteButton>
      ) : (
        <RulesetSwitch {...{ name, rule, entryPoint }} />
      )}
    </li>
  );
}

interface RulesetSwitchProps {
  readonly name: string;
  readonly rule: StoredRule;
  readonly entryPoint: EntryPoint | null;
}

/** Asks before the last one is turned off; turning off can be undone. */
function RulesetSwitch({ name, rule, entryPoint }: RulesetSwitchProps) {
  const zone = useZone();
  const [isAsking, setAsking] = useState(false);
  const isLast = isLastToProtect(entryPoint, rule, { ...rule, enabled: false });
  const undoing = useWrite({
    write: () => turnOnAgain(zone.id, rule.id),
    done: `${name} is on again`,
    failed: `${name} could not be turned on again`,
  });
  const change = useWrite({
    write: (enabled: boolean) =>
      changeEntryPoint(zone.id, entryPoint, { seen: rule, rule: { ...rule, enabled } }),
    failed: `${name} could not be changed`,
    onDone(_, enabled) {
      setAsking(false);
      if (enabled) tell(`${name} is on`);
      else
        showWithUndo(
          `${name} is off`,
          isLast
            ? `No managed ruleset stops attacks on ${zone.name} now.`
            : 'The other managed rulesets stay on.',
          () => undoing.mutate(),
        );
    },
  });
  return (
    <>
      <Switch
        label={name}
        isOn={change.isPending ? change.variables : rule.enabled}
        onChange={(enabled) => (!enabled && isLast ? setAsking(true) : change.mutate(enabled))}
      />
      {isAsking && (
        <UnprotectDialog
          action="Turn off"
          isBusy={change.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => change.mutate(false)}
        />
      )}
    </>
  );
}

export function RulesetState({ rule }: { readonly rule: StoredRule | undefined }) {
  if (rule === undefined) return <Pill>not deployed</Pill>;
  return <StatePill isOn={rule.enabled} words={['on', 'off']} off="warn" />;
}
