/**
 * What happens to a request that rules could not judge in full, by the zone's setting: because they cannot read its
 * body, or because judging it takes more steps than one request may. Both create an event.
 */
import { judgingCpuMsMax, judgingStepsMax } from '#rulesets';
import type { EdgeSettings } from './configuration.ts';
import type { ExhaustedRule, Judgement, Triggered } from './judgement.ts';

/** The id in events in place of a rule's if the body cannot be read. */
export const inspectionLimit = 'inspection-limit';
const judgingBudget = 'judging-budget';

/** The ids in events of such requests in place of a rule's. */
export const overLimitRuleIds: readonly string[] = [inspectionLimit, judgingBudget];

/** Long uploads are ordinary, so by default such a body stops a request only where managed rules would have read it. */
export function addUnreadable(
  judgement: Judgement,
  { overInspectionLimit }: EdgeSettings,
  reason: string | undefined,
): Judgement {
  if (reason === undefined || judgement.verdict.kind !== 'pass') return judgement;
  const byDefault = judgement.isBodyGuarded ? 'block' : 'log';
  return addEvent(judgement, {
    source: 'firewallManaged',
    ruleId: inspectionLimit,
    ref: inspectionLimit,
    rulesetId: '',
    description: reason,
    action: overInspectionLimit === 'default' ? byDefault : overInspectionLimit,
  });
}

/**
 * No ordinary request takes so many steps, and an attacker who used them up on purpose would bypass the remaining
 * rules: by default such a request is blocked.
 */
export function addExhausted(judgement: Judgement, { overInspectionLimit }: EdgeSettings): Judgement {
  const { exhausted } = judgement;
  if (exhausted === undefined) return judgement;
  return addEvent(judgement, {
    source: exhausted.source,
    ruleId: judgingBudget,
    ref: judgingBudget,
    rulesetId: exhausted.rulesetId,
    description: describeExhausted(exhausted),
    exhausted,
    action: overInspectionLimit === 'log' ? 'log' : 'block',
  });
}

function addEvent(judgement: Judgement, by: Triggered): Judgement {
  const triggered = [...judgement.triggered, by];
  return by.action === 'log'
    ? { ...judgement, triggered }
    : { ...judgement, triggered, verdict: { kind: 'block', by } };
}

function describeExhausted(exhausted: ExhaustedRule): string {
  const { ruleId, description, limit, stepsMax = judgingStepsMax, cpuMsMax = judgingCpuMsMax } = exhausted;
  const rule = `rule ${ruleId}${description === '' ? '' : ` (${description})`}`;
  const place = ruleId === '' ? '' : `, the last of them in ${rule}`;
  const most = limit === 'time' ? `${cpuMsMax} ms of CPU time` : `${stepsMax} steps`;
  return `Judging this request took more than ${most}${place}; later rules were not evaluated`;
}
