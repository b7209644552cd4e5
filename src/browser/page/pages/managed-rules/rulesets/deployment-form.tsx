/** How a ruleset is deployed: for which requests, and with which overrides of the whole and of tags. */
import { managedPhase } from '../../../api/managed/entry-point.ts';
import {
  editRuleset,
  findThresholdRule,
  type ManagedRule,
  type Overrides,
} from '../../../api/managed/overrides.ts';
import { Card } from '../../../parts/card.tsx';
import { bindTo } from '../../../parts/forms/fields.ts';
import { ExpressionField } from '../../../parts/expression-editor/expression-editor.tsx';
import type { ManagedRuleset } from '../ruleset-api.ts';
import type { RulesetDeployment } from './deployment.ts';
import { OverrideSelects } from './override-selects.tsx';
import { ScoreForm } from './score-form.tsx';
import { TagOverrides } from './tag-overrides.tsx';

interface DeploymentFormProps {
  readonly ruleset: ManagedRuleset;
  readonly rules: readonly ManagedRule[];
  readonly value: RulesetDeployment;
  readonly saved: RulesetDeployment;
  readonly onChange: (part: Partial<RulesetDeployment>) => void;
}

export function DeploymentForm({ ruleset, rules, value, saved, onChange }: DeploymentFormProps) {
  const thresholdRule = findThresholdRule(rules);
  const { overrides } = value;
  const change = (changed: Overrides): void => onChange({ overrides: changed });
  return (
    <>
      {thresholdRule !== undefined && (
        <ScoreForm {...{ rules, thresholdRule, overrides }} saved={saved.overrides} onChange={change} />
      )}
      <Card title="Scope and overrides">
        <div className="stack">
          <ExpressionField
            label="For requests that match"
            hint="The expression true stands for all requests."
            phase={managedPhase}
            isLow
            {...bindTo(value, onChange)('expression')}
          />
          <div className="row">
            <div className="grow">
              <h3>The whole ruleset</h3>
              <p className="soft">
                Applies to every rule that nothing below overrides, including future rules.
              </p>
            </div>
            <OverrideSelects
              name={ruleset.name}
              value={overrides}
              hasAction={thresholdRule === undefined}
              onChange={(edit) => change(editRuleset(overrides, edit))}
            />
          </div>
          <TagOverrides {...{ rules, overrides }} isScored={thresholdRule !== undefined} onChange={change} />
        </div>
      </Card>
    </>
  );
}
