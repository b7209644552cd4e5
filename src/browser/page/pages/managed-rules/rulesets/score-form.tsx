/** The strictness of a scoring ruleset: which rules add points, the threshold, and the action. */
import { useQuery } from '@tanstack/react-query';
import { entryPointPath, placeOf } from '../../../api/managed/entry-point.ts';
import { paranoiaLevels } from '../../../api/managed/ids.ts';
import {
  editRule,
  findRuleOverride,
  type ManagedRule,
  type OverrideEdit,
  type Overrides,
  readLevel,
  readParanoiaLevel,
  setParanoiaLevel,
  verdictNames,
} from '../../../api/managed/overrides.ts';
import { useZoneId } from '../../../api/queries.ts';
import { readWithNotes } from '../../../api/read.ts';
import { Card } from '../../../parts/card.tsx';
import { SelectField, TextField } from '../../../parts/forms/field.tsx';
import { ScoreNotes } from '../score-notes.tsx';
import { ScoreEffect } from './score-effect.tsx';

interface ScoreFormProps {
  readonly rules: readonly ManagedRule[];
  readonly thresholdRule: ManagedRule;
  readonly overrides: Overrides;
  readonly saved: Overrides;
  readonly onChange: (overrides: Overrides) => void;
}

const levelTexts = [
  'No rules',
  'Few false alarms',
  'Some false alarms',
  'Many false alarms',
  'For experts only',
];

export function ScoreForm({ rules, thresholdRule, overrides, saved, onChange }: ScoreFormProps) {
  const { data } = useQuery(readWithNotes(entryPointPath, placeOf(useZoneId())));
  const readStrictness = (from: Overrides) => ({
    level: readParanoiaLevel(from),
    threshold:
      findRuleOverride(from, thresholdRule.id)?.score_threshold ?? thresholdRule.score_threshold ?? 40,
  });
  const { level, threshold } = readStrictness(overrides);
  const counted = countRules(rules, level);
  const edit = (change: OverrideEdit): void => onChange(editRule(overrides, thresholdRule.id, change));
  return (
    <Card title="Sensitivity">
      <div className="stack">
        <ScoreNotes notes={data?.notes} />
        <div className="grid">
          <TextField
            label={`Paranoia level: ${level}`}
            hint={`${levelTexts[level]}; ${counted} of ${rules.length - 1} rules add points`}
            type="range"
            min={1}
            max={paranoiaLevels.length}
            value={String(Math.max(level, 1))}
            aria-valuetext={`Level ${level}`}
            onChange={(chosen) => onChange(setParanoiaLevel(overrides, Number(chosen)))}
          />
          <TextField
            label={`Score threshold: ${threshold}`}
            hint={`${describeThreshold(threshold)}: acts on requests with ${threshold} points or more`}
            type="range"
            min={5}
            max={Math.max(100, threshold)}
            step={threshold % 5 === 0 ? 5 : 1}
            value={String(threshold)}
            aria-valuetext={`${threshold} points`}
            onChange={(chosen) => edit({ score_threshold: Number(chosen) })}
          />
          <SelectField
            label="Action"
            hint="What happens to a request that reaches the threshold."
            options={verdictNames}
            value={findRuleOverride(overrides, thresholdRule.id)?.action ?? ''}
            onChange={(action) => edit({ action: action === '' ? undefined : action })}
          >
            <option value="">default ({thresholdRule.action})</option>
          </SelectField>
        </div>
        <ScoreEffect
          {...{ rules, thresholdRule }}
          draft={{ level, threshold }}
          saved={readStrictness(saved)}
        />
      </div>
    </Card>
  );
}

function countRules(rules: readonly ManagedRule[], level: number): number {
  return rules.filter((rule) => rule.score_threshold === undefined && readLevel(rule) <= level).length;
}

function describeThreshold(threshold: number): string {
  if (threshold <= 25) return 'High sensitivity';
  return threshold <= 40 ? 'Medium sensitivity' : 'Low sensitivity';
}
