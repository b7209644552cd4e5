/** Writes an exception. */
import { useState } from 'react';
import type { Zone } from '../../../api/types.ts';
import { ExpressionField } from '../../../parts/expression-editor/expression-editor.tsx';
import { Field, Select, TextInput } from '../../../parts/field.tsx';
import { useChange } from '../changes.ts';
import { FormDialog } from '../form-dialog.tsx';
import {
  changeEntryPoint,
  type EntryPoint,
  managedPhase,
  type ManagedRuleset,
  type SkipRule,
  type SkipTarget,
  type toSentSkip,
} from '../ruleset-api.ts';
import { RulePicker } from './rule-picker.tsx';

interface ExceptionDialogProps {
  readonly zone: Zone;
  readonly rulesets: readonly ManagedRuleset[];
  readonly rule: SkipRule | undefined;
  readonly seen: EntryPoint | null;
  readonly onClose: () => void;
}

type Scope = 'rules' | 'rulesets' | 'both' | 'all';

interface Typed {
  readonly description: string;
  readonly expression: string;
  readonly isLogged: boolean;
  readonly scope: Scope;
  readonly rulesets: readonly string[];
  readonly rules: Readonly<Record<string, readonly string[]>>;
}

export function ExceptionDialog({ zone, rulesets, rule, seen, onClose }: ExceptionDialogProps) {
  const [typed, setTyped] = useState(() => readRule(rule));
  const change = useChange({
    zoneId: zone.id,
    change: () => {
      const sent = writeRule(typed, rule);
      return changeEntryPoint(
        zone.id,
        seen,
        rule === undefined ? { kind: 'add', rule: sent } : { kind: 'edit', seen: rule, rule: sent },
      );
    },
    done: 'Saved the exception',
    onDone: onClose,
  });
  return (
    <FormDialog
      title={rule === undefined ? 'Create exception' : 'Edit exception'}
      action="Save exception"
      error={change.error}
      isBusy={change.isPending}
      isIncomplete={!isComplete(typed)}
      onSubmit={() => change.mutate(undefined)}
      onClose={onClose}
    >
      <Field label="Description">
        <TextInput
          value={typed.description}
          onValueChange={(description) => setTyped({ ...typed, description })}
        />
      </Field>
      <ExpressionField
        label="For requests that match"
        phase={managedPhase}
        placeholder={'http.request.uri.path eq "/upload" and ip.src in {192.0.2.0/24}'}
        value={typed.expression}
        onChange={(expression) => setTyped((before) => ({ ...before, expression }))}
      />
      <Targets zone={zone} rulesets={rulesets} typed={typed} onChange={setTyped} />
      <label className="row">
        <input
          type="checkbox"
          checked={typed.isLogged}
          onChange={({ target }) => setTyped({ ...typed, isLogged: target.checked })}
        />
        Log requests that use this exception
      </label>
    </FormDialog>
  );
}

interface TargetsProps {
  readonly zone: Zone;
  readonly rulesets: readonly ManagedRuleset[];
  readonly typed: Typed;
  readonly onChange: (typed: Typed) => void;
}

function Targets({ zone, rulesets, typed, onChange }: TargetsProps) {
  return (
    <>
      <Field label="Skip" hint="The narrower, the safer: single rules before whole rulesets.">
        <Select
          value={typed.scope}
          onChange={({ target }) => onChange({ ...typed, scope: target.value as Scope })}
        >
          <option value="rules">single rules</option>
          <option value="rulesets">whole rulesets</option>
          <option value="both">whole rulesets and single rules of others</option>
          <option value="all">all managed rulesets</option>
        </Select>
      </Field>
      {hasRulesets(typed) &&
        rulesets.map(({ id, name }) => (
          <label key={id} className="row">
            <input
              type="checkbox"
              checked={typed.rulesets.includes(id)}
              onChange={({ target }) =>
                onChange({
                  ...typed,
                  rulesets: target.checked
                    ? [...typed.rulesets, id]
                    : typed.rulesets.filter((each) => each !== id),
                })
              }
            />
            {name}
          </label>
        ))}
      {hasRules(typed) && (
        <RulePicker
          zoneId={zone.id}
          rulesets={rulesets}
          value={typed.rules}
          onChange={(rules) => onChange({ ...typed, rules })}
        />
      )}
    </>
  );
}

function readRule(rule: SkipRule | undefined): Typed {
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

function readScope({ ruleset, rulesets, rules }: SkipTarget = {}): Scope {
  if (ruleset !== undefined) return 'all';
  if (rulesets === undefined) return 'rules';
  return rules === undefined ? 'rulesets' : 'both';
}

function writeRule(typed: Typed, rule: SkipRule | undefined): ReturnType<typeof toSentSkip> {
  return {
    action: 'skip',
    expression: typed.expression,
    description: typed.description,
    enabled: rule?.enabled ?? true,
    logging: { enabled: typed.isLogged },
    action_parameters: writeTarget(typed),
  };
}

/** Only what the form shows: a choice that is out of sight must not widen the exception. */
function writeTarget(typed: Typed): SkipTarget {
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
