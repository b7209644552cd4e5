/**
 * Rules about the response to a request that has passed: those of a managed ruleset that scores, where the zone wants
 * them. The response has a score and a threshold of its own, and is judged once.
 */
import { OutOfSteps, type StepBudget } from '#base';
import type { EdgeSettings } from './configuration.ts';
import type { Judgement, ResponseRules, ResponseVerdict } from './judgement.ts';
import type { OriginResponse } from './managed-catalogue.ts';
import { addExhausted } from './over-limit.ts';

/** Adds what the rules about the response do to what those about the request did. */
export function judgeResponse(
  { responseRules = [], ...judgement }: Judgement,
  response: OriginResponse,
  { settings, budget }: { readonly settings: EdgeSettings; readonly budget: StepBudget },
): Judgement {
  let judged: Judgement = judgement;
  for (const rules of responseRules) {
    const { triggered, exhausted } = runWithin(budget, rules, response);
    if (exhausted !== undefined) return addExhausted({ ...judged, exhausted }, settings);
    if (triggered === undefined) continue;
    judged = { ...judged, triggered: [...judged.triggered, triggered] };
    if (triggered.action === 'block') return { ...judged, verdict: { kind: 'block', by: triggered } };
  }
  return judged;
}

function runWithin(budget: StepBudget, rules: ResponseRules, response: OriginResponse): ResponseVerdict {
  try {
    return budget.run(() => rules(response));
  } catch (error) {
    if (!(error instanceof OutOfSteps)) throw error;
    return { exhausted: { source: 'firewallManaged', ruleId: '', rulesetId: '', description: '' } };
  }
}
