/** One rule of a configuration: its effect and origin, and the form that changes it. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { catalogueQuery, type EntryRule } from '../../../api/managed/entry-point.ts';
import { useZoneId } from '../../../api/queries.ts';
import { Button } from '../../../parts/button.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { FormError } from '../../../parts/forms/form.tsx';
import { joinClasses } from '../../../parts/join-classes.ts';
import { Pill } from '../../../parts/pill.tsx';
import type { Note } from '../migration-api.ts';
import { describeOrigin, type DraftRule, readRule } from './configuration.ts';
import { JsonForm, RuleForm } from './rule-form.tsx';
import { OverrideSummary } from './ruleset-form.tsx';

interface RuleCardProps {
  readonly draft: DraftRule;
  readonly place: number;
  readonly count: number;
  readonly problems: readonly Note[];
  readonly onChange: (rule: DraftRule) => void;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
}

export function RuleCard(props: RuleCardProps) {
  const { draft, place, problems, onChange } = props;
  const { key, rule, json } = draft;
  // A new rule is opened for editing.
  const [isEditing, setIsEditing] = useState(rule.expression === '');
  const title = useTitle(rule);
  const isShownAsForm = isEditing || json !== undefined;
  return (
    <li
      className={joinClasses('box stack-close', !rule.enabled && 'dashed')}
      aria-label={`Rule ${place + 1}: ${title}`}
    >
      <div className="row row-top">
        <div className="grow">
          <h3>
            {place + 1}. {title} {!rule.enabled && <Pill tone="warn">disabled</Pill>}
          </h3>
          <p className="soft">{describeOrigin(rule)}</p>
        </div>
        {!isShownAsForm && (
          <Button aria-label={`Edit rule ${place + 1}`} onClick={() => setIsEditing(true)}>
            Edit
          </Button>
        )}
      </div>
      {problems.map(({ message }, index) => (
        <FormError key={index}>{message}</FormError>
      ))}
      {isShownAsForm ? (
        <>
          {json === undefined ? (
            <RuleForm rule={rule} onChange={(next) => onChange({ key, rule: next })} />
          ) : (
            <JsonForm json={json} onChange={(text) => onChange(readText(draft, text))} />
          )}
          <FormActions {...props} onDone={() => setIsEditing(false)} />
        </>
      ) : (
        <RuleSummary rule={rule} />
      )}
    </li>
  );
}

/** While the text is invalid, the last valid rule counts. */
function readText(draft: DraftRule, json: string): DraftRule {
  const read = readRule(json);
  return { ...draft, json, rule: 'problem' in read ? draft.rule : read };
}

function FormActions(props: RuleCardProps & { readonly onDone: () => void }) {
  const { draft, place, count, onChange, onMove, onRemove, onDone } = props;
  const { key, rule, json } = draft;
  const isReadable = json === undefined || !('problem' in readRule(json));
  const close = (): void => {
    if (json !== undefined) onChange({ key, rule });
    onDone();
  };
  return (
    <div className="row">
      <Button disabled={!isReadable} onClick={close}>
        Done
      </Button>
      {json === undefined ? (
        <Button onClick={() => onChange({ key, rule, json: JSON.stringify(rule, undefined, 2) })}>
          Edit as JSON
        </Button>
      ) : (
        <Button disabled={!isReadable} onClick={() => onChange({ key, rule })}>
          Edit as form
        </Button>
      )}
      <Button disabled={place === 0} onClick={() => onMove(place - 1)}>
        Move up
      </Button>
      <Button disabled={place === count - 1} onClick={() => onMove(place + 1)}>
        Move down
      </Button>
      <Button look="danger" onClick={onRemove}>
        Remove
      </Button>
    </div>
  );
}

function useTitle({ action, action_parameters, description = '' }: EntryRule): string {
  const rulesetId = action === 'execute' ? action_parameters?.id : undefined;
  const ruleset = useQuery({
    ...catalogueQuery(useZoneId(), rulesetId ?? 'none'),
    enabled: rulesetId !== undefined,
  });
  if (action === 'skip') return 'Exception';
  if (rulesetId !== undefined) return ruleset.data?.name ?? `Managed ruleset ${rulesetId}`;
  return description === '' ? action : description;
}

function RuleSummary({ rule }: { readonly rule: EntryRule }) {
  const { action, expression, action_parameters } = rule;
  const skipped =
    action_parameters?.ruleset === 'current' ? (
      'all rulesets after it'
    ) : (
      <code>{JSON.stringify(action_parameters)}</code>
    );
  return (
    <Facts
      isBeside
      facts={[
        ['For', expression === 'true' ? 'all requests' : <code>{expression}</code>],
        ['Skips', action === 'skip' ? skipped : undefined],
        ['Overrides', action === 'execute' ? <OverrideSummary rule={rule} /> : undefined],
      ]}
    />
  );
}
