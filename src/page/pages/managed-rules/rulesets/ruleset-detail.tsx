/** One managed ruleset: how it is deployed, what overrides it, and all its rules. */
import { useQuery } from '@tanstack/react-query';
import { Link, useBlocker } from '@tanstack/react-router';
import { describeError } from '../../../api/api-error.ts';
import type { Zone } from '../../../api/types.ts';
import { Button } from '../../../parts/button.tsx';
import { Card } from '../../../parts/card.tsx';
import { Confirm } from '../../../parts/dialog.tsx';
import { Failed, Loading } from '../../../parts/states.tsx';
import { useChange } from '../changes.ts';
import { ContentNote } from './content-note.tsx';
import { DeploymentForm } from './deployment-form.tsx';
import { RuleBrowser } from './rule-browser.tsx';
import {
  catalogueQuery,
  changeEntryPoint,
  type EntryPoint,
  type ExecuteRule,
  type ManagedRuleset,
  toSentExecute,
} from '../ruleset-api.ts';
import { createDeployment, describeDeploy, findDeployment, StatePill } from './ruleset-list.tsx';
import { type ManagedRule, tidyOverrides } from './overrides.ts';
import { type Draft, useDraft } from './use-draft.ts';

interface DetailProps {
  readonly zone: Zone;
  readonly ruleset: ManagedRuleset;
  readonly entryPoint: EntryPoint | null;
}

export function RulesetDetail({ zone, ruleset, entryPoint }: DetailProps) {
  const catalogue = useQuery(catalogueQuery(zone.id, ruleset.id));
  const rule = findDeployment(entryPoint, ruleset.id);
  return (
    <>
      <div>
        <Link to="/zones/$zoneId/managed-rules" params={{ zoneId: zone.id }} search={{}}>
          ← All managed rulesets
        </Link>
        <h2 className="managed-rules-title">
          {ruleset.name} <StatePill rule={rule} />
        </h2>
        <p className="soft">{ruleset.description}</p>
        <ContentNote content={ruleset.content} />
      </div>
      {catalogue.isPending ? (
        <Loading rows={8} />
      ) : catalogue.isLoadingError ? (
        <Failed error={catalogue.error} onRetry={() => void catalogue.refetch()} />
      ) : rule === undefined ? (
        <Undeployed zone={zone} ruleset={ruleset} entryPoint={entryPoint} rules={catalogue.data.rules} />
      ) : (
        <Deployed
          zone={zone}
          ruleset={ruleset}
          entryPoint={entryPoint}
          rules={catalogue.data.rules}
          rule={rule}
        />
      )}
    </>
  );
}

interface LoadedProps extends DetailProps {
  readonly rules: readonly ManagedRule[];
}

function Undeployed({ zone, ruleset, entryPoint, rules }: LoadedProps) {
  const change = useChange({
    zoneId: zone.id,
    change: () => changeEntryPoint(zone.id, entryPoint, { kind: 'add', rule: createDeployment(ruleset.id) }),
    done: `Deployed ${ruleset.name}`,
    failed: `${ruleset.name} could not be deployed`,
  });
  return (
    <>
      <Card>
        <div className="managed-rules-row">
          <p className="managed-rules-what">
            This ruleset does nothing on {zone.name} until you deploy it. Then you can override its rules.{' '}
            {describeDeploy(ruleset.id)}
          </p>
          <Button look="primary" isBusy={change.isPending} onClick={() => change.mutate(undefined)}>
            Deploy
          </Button>
        </div>
      </Card>
      <RuleBrowser rules={rules} overrides={{}} />
    </>
  );
}

function Deployed({ zone, ruleset, entryPoint, rules, rule }: LoadedProps & { readonly rule: ExecuteRule }) {
  const draft = useDraft(entryPoint, rule);
  const save = useChange({
    zoneId: zone.id,
    change: () =>
      changeEntryPoint(zone.id, draft.seen, { kind: 'edit', seen: rule, rule: applyDraft(rule, draft) }),
    done: `Saved ${ruleset.name}`,
    onDone: draft.discard,
  });
  return (
    <>
      <DeploymentForm zone={zone} ruleset={ruleset} rules={rules} draft={draft} saved={rule} />
      <RuleBrowser
        rules={rules}
        overrides={draft.overrides}
        onChange={(overrides) => draft.edit({ overrides })}
      />
      <SaveBar
        draft={draft}
        error={save.error}
        isBusy={save.isPending}
        onSave={() => save.mutate(undefined)}
      />
      <LeaveGuard isChanged={draft.isChanged} />
    </>
  );
}

function applyDraft(rule: ExecuteRule, { expression, overrides }: Draft): ReturnType<typeof toSentExecute> {
  const tidy = tidyOverrides(overrides);
  const { id } = rule.action_parameters;
  return {
    ...toSentExecute(rule),
    expression,
    action_parameters: { id, ...(tidy === undefined ? {} : { overrides: tidy }) },
  };
}

interface SaveBarProps {
  readonly draft: Draft;
  readonly error: Error | null;
  readonly isBusy: boolean;
  readonly onSave: () => void;
}

function SaveBar({ draft, error, isBusy, onSave }: SaveBarProps) {
  if (!draft.isChanged) return null;
  return (
    <div className="managed-rules-save" role="region" aria-label="Unsaved changes">
      {draft.isStale ? (
        <>
          <p className="managed-rules-what">
            Someone else has changed the managed rulesets of this site in the meantime. Your changes are still
            here and not saved.
          </p>
          <Button onClick={draft.discard}>Discard mine, show theirs</Button>
          <Button look="primary" onClick={draft.adopt}>
            Keep mine
          </Button>
        </>
      ) : (
        <>
          <p className="managed-rules-what" role="status">
            {error === null ? (
              'You have unsaved changes.'
            ) : (
              <span className="form-error managed-rules-error">Not saved: {describeError(error)}</span>
            )}
          </p>
          <Button onClick={draft.discard}>Discard</Button>
          <Button look="primary" isBusy={isBusy} onClick={onSave}>
            Save
          </Button>
        </>
      )}
    </div>
  );
}

/** Asks before unsaved changes are left behind; whoever signs out has been asked enough. */
function LeaveGuard({ isChanged }: { readonly isChanged: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ next }) => isChanged && next.pathname !== '/sign-in',
    enableBeforeUnload: isChanged,
    withResolver: true,
  });
  return (
    <Confirm
      title="Leave without saving?"
      isOpen={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
      action="Leave"
    >
      <p>Your changes of this ruleset are not saved and will be lost.</p>
    </Confirm>
  );
}
