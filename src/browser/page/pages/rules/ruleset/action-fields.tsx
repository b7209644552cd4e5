/** The action of a rule in a ruleset, and in the phase of rate limits its rate. */
import { useZone } from '../../../api/queries.ts';
import { stoppingActions } from '../../../api/stopping-actions.ts';
import { Check, Checks, SelectField, TextField } from '../../../parts/forms/field.tsx';
import type { Bind } from '../../../parts/forms/fields.ts';
import { ReasonField } from '../reason-field.tsx';
import { type RuleDraft, skippable } from './rule-draft.ts';
import type { RulePhase } from './ruleset-rules.ts';

interface ActionFieldsProps {
  readonly phase: RulePhase;
  readonly draft: RuleDraft;
  readonly bind: Bind<RuleDraft>;
}

export function ActionFields({ phase, draft, bind }: ActionFieldsProps) {
  const isEnterprise = useZone().plan.legacy_id === 'enterprise';
  const options: Readonly<Record<string, string>> = {
    ...stoppingActions,
    ...(phase === 'http_ratelimit' ? {} : { skip: 'Skip: do not run other rules' }),
    ...(isEnterprise ? { log: 'Log only' } : {}),
  };
  const { value, onChange } = bind('action');
  return (
    <div className="stack">
      {phase === 'http_ratelimit' && <RateFields bind={bind} />}
      <SelectField label="Action" options={options} value={value} onChange={onChange}>
        {!isEnterprise && (
          <option value="log" disabled>
            Log only (Enterprise)
          </option>
        )}
      </SelectField>
      {draft.action === 'skip' && (
        <>
          <fieldset className="box grid">
            <legend>What is skipped for these requests</legend>
            <Checks options={Object.entries(skippable)} {...bind('skipped')} />
          </fieldset>
          <Check {...bind('isLogged')}>Show these requests in the activity log</Check>
        </>
      )}
      <TextField label="Description" hint="What the rule is for." maxLength={500} {...bind('description')} />
      <ReasonField {...bind('reason')} />
      <Check {...bind('paused')}>Paused: saved, but without effect</Check>
    </div>
  );
}

/** Those of all plans from Business on; the server refuses what a plan lacks. */
const periods = {
  '10': '10 seconds',
  '60': 'a minute',
  '120': '2 minutes',
  '300': '5 minutes',
  '600': '10 minutes',
  '3600': 'an hour',
};
const timeouts = { '0': 'Only requests over the limit', ...periods, '86400': 'a day' };

function RateFields({ bind }: Pick<ActionFieldsProps, 'bind'>) {
  return (
    <>
      <div className="grid">
        <TextField label="More requests than" type="number" min={1} step={1} {...bind('requests')} />
        <SelectField label="In" options={withValue(periods, bind('period').value)} {...bind('period')} />
        <SelectField
          label="Stop them for"
          options={withValue(timeouts, bind('timeout').value)}
          {...bind('timeout')}
        />
      </div>
      <TextField
        label="Counted by"
        hint="Fields, separated by commas. Without cf.colo.id all hosts count together."
        isCode
        {...bind('countedBy')}
      />
    </>
  );
}

/** Keeps a value that was set elsewhere. */
function withValue(
  options: Readonly<Record<string, string>>,
  value: string,
): Readonly<Record<string, string>> {
  return value in options ? options : { ...options, [value]: `${value} seconds` };
}
