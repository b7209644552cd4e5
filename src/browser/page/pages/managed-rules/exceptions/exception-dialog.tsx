/** The form of an exception. */
import { useState } from 'react';
import {
  type EntryPoint,
  type EntryRule,
  managedPhase,
  type RuleParameters,
  type StoredRule,
} from '../../../api/managed/entry-point.ts';
import { useZoneId } from '../../../api/queries.ts';
import { ExpressionField } from '../../../parts/expression-editor/expression-editor.tsx';
import { Check, Checks, SelectField, TextField } from '../../../parts/forms/field.tsx';
import { WriteDialog } from '../../../parts/forms/form.tsx';
import { changeEntryPoint, type ManagedRuleset } from '../ruleset-api.ts';
import { RulePicker } from './rule-picker.tsx';

interface ExceptionDialogProps {
  readonly rulesets: readonly ManagedRuleset[];
  /** Undefined: a new one. */
  readonly rule?: StoredRule;
  readonly entryPoint: EntryPoint | null;
  readonly onClose: () => void;
}

const scopes = {
  rules: 'single rules',
  rulesets: 'whole rulesets',
  both: 'whole rulesets and single rules of others',
  all: 'all managed rulesets',
};
type ExceptionScope = keyof typeof scopes;

interface Typed {
  readonly description: string;
  readonly expression: string;
  readonly isLogged: boolean;
  readonly scope: ExceptionScope;
  readonly rulesets: readonly string[];
  readonly rules: Readonly<Record<string, readonly string[]>>;
}

export function ExceptionDialog({ rulesets, rule, entryPoint, onClose }: ExceptionDialogProps) {
  const zoneId = useZoneId();
  // Saved on the condition that nothing has changed since the dialog was opened.
  const [seen] = useState(entryPoint);
  return (
    <WriteDialog
      title={rule === undefined ? 'Create exception' : 'Edit exception'}
      isWide
      action="Save exception"
      initial={() => readRule(rule)}
      write={(typed) => changeEntryPoint(zoneId, seen, { seen: rule, rule: writeRule(typed, rule) })}
      done="Saved the exception"
      isIncomplete={(typed) => !isComplete(typed)}
      onClose={onClose}
    >
      {(bind, typed) => (
        <>
          <TextField label="Description" {...bind('description')} />
          <ExpressionField
            label="For requests that match"
            phase={managedPhase}
            placeholder={'http.request.uri.path eq "/upload" and ip.src in {192.0.2.0/24}'}
            {...bind('expression')}
          />
          <SelectField
            label="Skip"
            hint="The narrower, the safer: single rules before whole rulesets."
            options={scopes}
            {...bind('scope')}
          />
          {hasRulesets(typed) && (
            <Checks options={rulesets.map(({ id, name }) => [id, name])} {...bind('rulesets')} />
          )}
          {hasRules(typed) && <RulePicker rulesets={rulesets} {...bind('rules')} />}
          <Check {...bind('isLogged')}>Log requests that use this exception</Check>
        </>
      )}
    </WriteDialog>
  );
}

function readRule(rule: EntryRule | undefined): Typed {
  const { rulesets = [], rules = {} } = rule?.action_parameters ?? {};
  return {
    description: rule?.description ?? '',
    expression: rule?.expression ?? '',
    isLogged: rule?.logging?.enabled ?? true,
    scope: readScope(rule?.action_parameters),
    rulesets,
    rules,
  };
}

function readScope({ ruleset, rulesets, rules }: RuleParameters = {}): ExceptionScope {
  if (ruleset !== undefined) return 'all';
  if (rulesets === undefined) return 'rules';
  return rules === undefined ? 'rulesets' : 'both';
}

function writeRule(typed: Typed, rule: EntryRule | undefined): EntryRule {
  return {
    action: 'skip',
    expression: typed.expression,
    description: typed.description,
    enabled: rule?.enabled ?? true,
    logging: { enabled: typed.isLogged },
    action_parameters: writeTarget(typed),
  };
}

/** Only the visible fields: a hidden choice must not widen the exception. */
function writeTarget(typed: Typed): RuleParameters {
  if (typed.scope === 'all') return { ruleset: 'current' };
  return {
    ...(hasRulesets(typed) ? { rulesets: typed.rulesets } : {}),
    ...(hasRules(typed) ? { rules: typed.rules } : {}),
  };
}

function hasRulesets({ scope }: Typed): boolean {
  return scope === 'rulesets' || scope === 'both';
}

function hasRules({ scope }: Typed): boolean {
  return scope === 'rules' || scope === 'both';
}

function isComplete(typed: Typed): boolean {
  return (
    typed.expression.trim() !== '' &&
    (!hasRulesets(typed) || typed.rulesets.length > 0) &&
    (!hasRules(typed) || Object.keys(typed.rules).length > 0)
  );
}
