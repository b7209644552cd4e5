/** One managed ruleset: its deployment, its overrides, and all its rules. */
import { useQuery } from '@tanstack/react-query';
import { Link, useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import {
  catalogueQuery,
  type EntryPoint,
  entryPointPath,
  placeOf,
} from '../../../api/managed/entry-point.ts';
import { type ManagedRule, tidyOverrides } from '../../../api/managed/overrides.ts';
import { useZone, useZoneId } from '../../../api/queries.ts';
import { Button } from '../../../parts/button.tsx';
import { Card } from '../../../parts/card.tsx';
import { Confirm } from '../../../parts/forms/dialog.tsx';
import { useDraft } from '../../../parts/forms/draft.ts';
import { SaveProblem, useSave } from '../../../parts/forms/save.tsx';
import { WriteButton } from '../../../parts/forms/write-button.tsx';
import { Resource } from '../../../parts/reading/resource.tsx';
import { changeEntryPoint, type ManagedRuleset, sendChange } from '../ruleset-api.ts';
import { ContentNote } from './content-note.tsx';
import { DeploymentForm } from './deployment-form.tsx';
import {
  createDeployment,
  describeDeploy,
  findDeployment,
  isLastToProtect,
  readDeployment,
  type RulesetDeployment,
  writeDeployment,
} from './deployment.ts';
import { RuleBrowser } from './rule-browser.tsx';
import { RulesetState } from './ruleset-list.tsx';
import { UnprotectDialog } from './unprotect-dialog.tsx';

interface DetailProps {
  readonly ruleset: ManagedRuleset;
  readonly entryPoint: EntryPoint | null;
}

export function RulesetDetail({ ruleset, entryPoint }: DetailProps) {
  const zoneId = useZoneId();
  const rule = findDeployment(entryPoint, ruleset.id);
  return (
    <>
      <div>
        <Link to="/zones/$zoneId/managed-rules" params={{ zoneId }} search={{}}>
          ← All managed rulesets
        </Link>
        <h2>
          {ruleset.name} <RulesetState rule={rule} />
        </h2>
        <p className="soft">{ruleset.description}</p>
        <ContentNote content={ruleset.content} />
      </div>
      <Resource of={useQuery(catalogueQuery(zoneId, ruleset.id))} rows={8}>
        {({ rules }) =>
          entryPoint === null || rule === undefined ? (
            <Undeployed {...{ ruleset, entryPoint, rules }} />
          ) : (
            <Deployed {...{ ruleset, entryPoint, rules }} />
          )
        }
      </Resource>
    </>
  );
}

interface LoadedProps extends DetailProps {
  readonly rules: readonly ManagedRule[];
}

function Undeployed({ ruleset: { id, name }, entryPoint, rules }: LoadedProps) {
  const zone = useZone();
  return (
    <>
      <Card>
        <div className="row">
          <p className="grow">
            This ruleset does nothing on {zone.name} until you deploy it. Then you can override its rules.{' '}
            {describeDeploy(id)}
          </p>
          <WriteButton
            look="primary"
            write={() => changeEntryPoint(zone.id, entryPoint, { rule: createDeployment(id) })}
            done={`Deployed ${name}`}
            failed={`${name} could not be deployed`}
          >
            Deploy
          </WriteButton>
        </div>
      </Card>
      <RuleBrowser rules={rules} overrides={{}} />
    </>
  );
}

function compare({ expression, overrides }: RulesetDeployment): unknown {
  return [expression, tidyOverrides(overrides)];
}

function pick({ id, version }: EntryPoint): unknown {
  return [id, version];
}

function Deployed({ ruleset, entryPoint, rules }: LoadedProps & { readonly entryPoint: EntryPoint }) {
  const zoneId = useZoneId();
  const [isAsking, setAsking] = useState(false);
  const read = (entry: EntryPoint): RulesetDeployment => readDeployment(findDeployment(entry, ruleset.id));
  const draft = useDraft(entryPoint, { read, pick, compare });
  const saving = useSave(draft, {
    read: async () => {
      const answer = await client.get(entryPointPath, placeOf(zoneId));
      return { ...answer, result: answer.result as EntryPoint };
    },
    pick,
    what: 'the managed rulesets of this site',
    write(value, base = entryPoint, version) {
      const seen = findDeployment(base, ruleset.id);
      return sendChange(zoneId, base, { seen, rule: writeDeployment(ruleset.id, value, seen), version });
    },
    done: `Saved ${ruleset.name}`,
  });
  const stored = findDeployment(entryPoint, ruleset.id)!;
  const isLast = isLastToProtect(entryPoint, stored, writeDeployment(ruleset.id, draft.value, stored));
  return (
    <>
      <DeploymentForm
        {...{ ruleset, rules }}
        value={draft.value}
        saved={read(entryPoint)}
        onChange={draft.change}
      />
      <RuleBrowser
        rules={rules}
        overrides={draft.value.overrides}
        onChange={(overrides) => draft.change({ overrides })}
      />
      {draft.isEdited && (
        <div className="save-bar" role="region" aria-label="Unsaved changes">
          <div className="grow" role="status">
            {saving.error === null && !draft.isOutdated && 'You have unsaved changes.'}
            <SaveProblem saving={saving} />
          </div>
          <Button onClick={draft.discard}>Discard</Button>
          <Button
            look="primary"
            isBusy={saving.isPending}
            disabled={draft.isOutdated}
            onClick={isLast ? () => setAsking(true) : saving.save}
          >
            Save
          </Button>
        </div>
      )}
      {isAsking && draft.isEdited && (
        <UnprotectDialog
          action="Save"
          isBusy={saving.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            saving.save();
          }}
        />
      )}
      <LeaveGuard isChanged={draft.isEdited} />
    </>
  );
}

/** Asks before unsaved changes are lost; signing out has its own question. */
function LeaveGuard({ isChanged }: { readonly isChanged: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => isChanged && next.pathname !== '/sign-in',
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Confirm
      title="Leave without saving?"
      action="Leave"
      onClose={() => blocker.reset()}
      onConfirm={() => blocker.proceed()}
    >
      <p>Your changes of this ruleset are not saved and will be lost.</p>
    </Confirm>
  );
}
