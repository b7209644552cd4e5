/** How a ruleset is deployed: for which requests, with which overrides of the whole and of tags. */
import type { Zone } from '../../../api/types.ts';
import { Card } from '../../../parts/card.tsx';
import { ExpressionField } from '../../../parts/expression-editor/expression-editor.tsx';
import { OverrideSelects } from './override-selects.tsx';
import { editRuleset, findThresholdRule, type ManagedRule } from './overrides.ts';
import { type ExecuteRule, managedPhase, type ManagedRuleset } from '../ruleset-api.ts';
import { ScoreForm } from './score-form.tsx';
import { TagOverrides } from './tag-overrides.tsx';
import type { Draft } from './use-draft.ts';

interface DeploymentFormProps {
  readonly zone: Zone;
  readonly ruleset: ManagedRuleset;
  readonly rules: readonly ManagedRule[];
  readonly draft: Draft;
  readonly saved: ExecuteRule;
}

export function DeploymentForm({ zone, ruleset, rules, draft, saved }: DeploymentFormProps) {
  const thresholdRule = findThresholdRule(rules);
  const { overrides } = draft;
  return (
    <>
      {thresholdRule !== undefined && (
        <ScoreForm zone={zone} rules={rules} thresholdRule={thresholdRule} draft={draft} saved={saved} />
      )}
      <Card title="Scope and overrides">
        <div className="stack">
          <ExpressionField
            label="For requests that match"
            hint="The expression true stands for all requests."
            phase={managedPhase}
            isLow
            value={draft.expression}
            onChange={(expression) => draft.edit({ expression })}
          />
          <div className="managed-rules-row">
            <div className="managed-rules-what">
              <h3>The whole ruleset</h3>
              <p className="soft">
                Applies to every rule, later ones included, that nothing below overrides.
              </p>
            </div>
            <OverrideSelects
              name={ruleset.name}
              value={overrides}
              hasAction={thresholdRule === undefined}
              onChange={(edit) => draft.edit({ overrides: editRuleset(overrides, edit) })}
            />
          </div>
          <TagOverrides
            rules={rules}
            overrides={overrides}
            isScored={thresholdRule !== undefined}
            onChange={(changed) => draft.edit({ overrides: changed })}
          />
        </div>
      </Card>
    </>
  );
}
