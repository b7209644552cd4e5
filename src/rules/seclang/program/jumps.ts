import type { RuleOrMarker } from '../model.ts';

/**
 * The step at which a matching rule continues, if that is not the next one: after the marker or the rule that
 * `skipAfter` names, or after as many rules as `skip` says. The number of steps for the end of the phase.
 */
export function findJump(steps: readonly RuleOrMarker[], at: number): number | undefined {
  const step = steps[at]!;
  if ('marker' in step) return undefined;
  const { skipAfter, skip } = step.rule;
  if (skipAfter !== undefined) {
    for (let next = at + 1; next < steps.length; next++)
      if (nameOf(steps[next]!) === skipAfter) return next + 1;
    return undefined;
  }
  if (skip === 0) return undefined;
  let next = at + 1;
  for (let left = skip; next < steps.length; next++) {
    if (left === 0) break;
    if ('rule' in steps[next]!) left--;
  }
  return next;
}

function nameOf(step: RuleOrMarker): string {
  return 'marker' in step ? step.marker : String(step.rule.id);
}
