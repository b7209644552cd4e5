/** Judging a path that origins may read in several ways (`readPath` of the room `request` lists the readings). */
import { defaultUrlNormalization, type UrlNormalization } from '#request';
import { ruleOutOfForce, type ZoneConfiguration } from './configuration.ts';
import type { Judgement, Triggered } from './judgement.ts';
import { overLimitRuleIds } from './over-limit.ts';

const ambiguousPath = 'ambiguous-path';

/** What events name in place of a rule where the edge itself refuses a request, or cannot judge it in full. */
export const edgeRuleIds: readonly string[] = [...overLimitRuleIds, ambiguousPath, ruleOutOfForce];

/**
 * Nothing of a paused zone is judged, so its paths are left alone. `rewritesTarget`: whether the origin can get another path
 * than the one received.
 */
export function chooseUrlNormalization(
  { edge, zone }: ZoneConfiguration,
  rewritesTarget: boolean,
): UrlNormalization {
  const { urlNormalization = defaultUrlNormalization } = edge;
  if (zone.isPaused) return { ...urlNormalization, scope: 'none' };
  if (urlNormalization.scope === 'both' && !rewritesTarget) return { ...urlNormalization, scope: 'incoming' };
  return urlNormalization;
}

/** The judgement of a request whose path is refused. `problem` quotes nothing of the request. */
export function judgeAmbiguousPath(problem: string): Judgement {
  const by: Triggered = {
    source: 'firewallManaged',
    action: 'block',
    ruleId: ambiguousPath,
    rulesetId: '',
    ref: ambiguousPath,
    description: problem,
  };
  const response = {
    status_code: 400,
    content: `The address is ambiguous. ${problem}\n`,
    content_type: 'text/plain',
  } as const;
  return {
    verdict: { kind: 'block', by, response },
    triggered: [by],
    steps: [],
    clearance: undefined,
    isBodyGuarded: false,
  };
}

/** Whether the judgement of another reading counts in place of one that lets the request pass. */
export function isStricter(other: Judgement, passing: Judgement): boolean {
  return other.verdict.kind !== 'pass' || other.triggered.length > passing.triggered.length;
}
