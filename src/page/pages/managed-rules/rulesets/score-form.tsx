/** How strict a ruleset that scores is: which rules add points, how many points are too many, and what happens then. */
import type { Zone } from '../../../api/types.ts';
import { paranoiaLevels } from '../../../api/managed-rulesets.ts';
import { Card } from '../../../parts/card.tsx';
import { Field, Select, TextInput } from '../../../parts/field.tsx';
import {
  editRule,
  findRuleOverride,
  type ManagedRule,
  readLevel,
  readParanoiaLevel,
  setParanoiaLevel,
  verdictActions,
} from './overrides.ts';
import { ScoreNotes } from '../score-notes.tsx';
import { type ExecuteRule, managedPhase } from '../ruleset-api.ts';
import { ScoreEffect } from './score-effect.tsx';
import type { Draft } from './use-draft.ts';

interface ScoreFormProps {
  readonly zone: Zone;
  readonly rules: readonly ManagedRule[];
  readonly thresholdRule: ManagedRule;
  readonly draft: Draft;
  readonly saved: ExecuteRule;
}

const levelTexts = [
  'No rules',
  'Few false alarms',
  'Some false alarms',
  'Many false alarms',
  'For experts only',
];

export function ScoreForm({ zone, rules, thresholdRule, draft, saved }: ScoreFormProps) {
  const { overrides } = draft;
  const own = findRuleOverride(overrides, thresholdRule.id);
  const standard = thresholdRule.score_threshold ?? 40;
  const threshold = own?.score_threshold ?? standard;
  const level = readParanoiaLevel(overrides);
  const counted = countRules(rules, level);
  const edit = (change: Parameters<typeof editRule>[2]): void =>
    draft.edit({ overrides: editRule(overrides, thresholdRule.id, change) });
  return (
    <Card title="Sensitivity">
      <div className="stack">
        <ScoreNotes zoneId={zone.id} path={`/rulesets/phases/${managedPhase}/entrypoint`} />
        <div className="managed-rules-fields">
          <Field
            label={`Paranoia level: ${level}`}
            hint={`${levelTexts[level]}; ${counted} of ${rules.length - 1} rules add points`}
          >
            <Range
              min={1}
              max={paranoiaLevels.length}
              value={Math.max(level, 1)}
              text={`Level ${level}`}
              onChange={(chosen) => draft.edit({ overrides: setParanoiaLevel(overrides, chosen) })}
            />
          </Field>
          <Field
            label={`Score threshold: ${threshold}`}
            hint={`${describeThreshold(threshold)}: acts on requests with ${threshold} points or more`}
          >
            <Range
              min={5}
              max={Math.max(100, threshold)}
              step={threshold % 5 === 0 ? 5 : 1}
              value={threshold}
              text={`${threshold} points`}
              onChange={(score_threshold) => edit({ score_threshold })}
            />
          </Field>
          <Field label="Action" hint="What happens to a request that reaches the threshold.">
            <Select
              value={own?.action ?? ''}
              onChange={({ target }) => edit({ action: target.value === '' ? undefined : target.value })}
            >
              <option value="">default ({thresholdRule.action})</option>
              {verdictActions.map((action) => (
                <option key={action} value={action}>
                  {action.replaceAll('_', ' ')}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <ScoreEffect
          zoneId={zone.id}
          rules={rules}
          thresholdRule={thresholdRule}
          draft={{ level, threshold }}
          saved={readSaved(saved, thresholdRule.id, standard)}
        />
      </div>
    </Card>
  );
}

function readSaved({ action_parameters: { overrides = {} } }: ExecuteRule, ruleId: string, standard: number) {
  return {
    level: readParanoiaLevel(overrides),
    threshold: findRuleOverride(overrides, ruleId)?.score_threshold ?? standard,
  };
}

function countRules(rules: readonly ManagedRule[], level: number): number {
  return rules.filter((rule) => rule.score_threshold === undefined && readLevel(rule) <= level).length;
}

function describeThreshold(threshold: number): string {
  if (threshold <= 25) return 'High sensitivity';
  return threshold <= 40 ? 'Medium sensitivity' : 'Low sensitivity';
}

interface RangeProps {
  readonly min: number;
  readonly max: number;
  readonly step?: number;
  readonly value: number;
  readonly text: string;
  readonly onChange: (value: number) => void;
}

function Range({ min, max, step = 1, value, text, onChange }: RangeProps) {
  return (
    <TextInput
      type="range"
      className="managed-rules-range"
      min={min}
      max={max}
      step={step}
      value={String(value)}
      aria-valuetext={text}
      onValueChange={(chosen) => onChange(Number(chosen))}
    />
  );
}
