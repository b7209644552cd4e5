/** Judges a path that origins may read in several ways (`readPath` of the room `request` lists the readings). */
import { defaultUrlNormalization, type UrlNormalization } from '#request';
import { ruleOutOfForce, type ZoneConfiguration } from './configuration.ts';
import type { Judgement, Triggered } from './judgement.ts';
import { overLimitRuleIds } from './over-limit.ts';

const ambiguousPath = 'ambiguous-path';

/** The ids in events in place of a rule's, for requests that the edge itself refuses or cannot judge in full. */
export const edgeRuleIds: readonly string[] = [...overLimitRuleIds, ambiguousPath, ruleOutOfForce];

/**
 * A paused zone is not judged, so its paths stay unchanged. `rewritesTarget`: whether the origin may receive a
 * different path than the client sent.
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

/** Whether the judgement of another reading replaces one that lets the request pass. */
export function isStricter(other: Judgement, passing: Judgement): boolean {
  return other.verdict.kind !== 'pass' || other.triggered.length > passing.triggered.length;
}
