/**
 * What a stricter or laxer score would have meant for the last day, as far as the activity log shows. It contains the
 * scores of requests that reached the threshold, and in their explanations the points of each rule. It contains nothing
 * about requests that stayed below: how many more a stricter setting would stop is unknown, and is not estimated.
 */
import { useQuery } from '@tanstack/react-query';
import { describeError } from '../../../api/api-error.ts';
import { client, resultOf } from '../../../api/client.ts';
import { type ManagedRule, readLevel } from '../../../api/managed/overrides.ts';
import { useZoneId } from '../../../api/queries.ts';
import type { SecurityEvent } from '../../../api/types.ts';
import { countThings } from '../../../parts/reading/count-things.ts';

interface Strictness {
  readonly level: number;
  readonly threshold: number;
}

interface ScoreEffectProps {
  readonly rules: readonly ManagedRule[];
  readonly thresholdRule: ManagedRule;
  readonly draft: Strictness;
  readonly saved: Strictness;
}

/** Explanations are read individually, so fewer of them. */
const scoresMax = 1_000;
const explanationsMax = 50;

export function ScoreEffect({ rules, thresholdRule, draft, saved }: ScoreEffectProps) {
  const zoneId = useZoneId();
  const isLower = draft.level < saved.level;
  const scores = useQuery({
    queryKey: ['zones', zoneId, 'scores', thresholdRule.id],
    queryFn: ({ signal }) => readEvents(zoneId, thresholdRule.id, signal),
  });
  const explained = useQuery({
    queryKey: ['zones', zoneId, 'score-explanations', scores.data?.events[0]?.id],
    queryFn: ({ signal }) => readContributions(zoneId, scores.data!.events, signal),
    enabled: isLower && scores.data !== undefined,
    staleTime: 60_000,
  });
  const error = scores.error ?? (isLower ? explained.error : null);
  if (error !== null) return <Effect>The activity log could not be read: {describeError(error)}</Effect>;
  if (scores.data === undefined || (isLower && explained.data === undefined)) {
    return <Effect>Reading the activity log of the last 24 hours…</Effect>;
  }
  const levels = new Map(rules.map((rule) => [rule.id, readLevel(rule)]));
  const totals = isLower
    ? (explained.data ?? []).map((parts) => sumUpTo(parts, levels, draft.level))
    : scores.data.events.map(readScore);
  if (totals.length === 0 && scores.data.events.length > 0) {
    return <Effect>The requests of the last 24 hours were logged without the points of each rule.</Effect>;
  }
  const isWhole = totals.length === scores.data.events.length && scores.data.isComplete;
  return <Effect>{describeEffect({ totals, draft, saved, isWhole })}</Effect>;
}

function Effect({ children }: { readonly children: React.ReactNode }) {
  return (
    <p className="soft" role="status">
      {children}
    </p>
  );
}

interface ScoreTotals {
  readonly totals: readonly number[];
  readonly draft: Strictness;
  readonly saved: Strictness;
  readonly isWhole: boolean;
}

function describeEffect({ totals, draft, saved, isWhole }: ScoreTotals): string {
  const isStricter = draft.level > saved.level || draft.threshold < saved.threshold;
  const unknown = isStricter
    ? ' How many more requests this would catch is unknown: the log has no scores below the threshold.'
    : '';
  if (totals.length === 0) {
    return `In the last 24 hours the activity log has no request that reached the threshold.${unknown}`;
  }
  const requests = countThings(totals.length, 'request');
  const of = `Of ${isWhole ? '' : 'the newest '}${requests} that reached the threshold in the last 24 hours,`;
  if (draft.level === saved.level && draft.threshold === saved.threshold) {
    return `${of} the highest score was ${Math.max(...totals)} and the lowest ${Math.min(...totals)}.`;
  }
  const still = totals.filter((total) => total >= draft.threshold).length;
  return `${of} ${still} still would; ${totals.length - still} would pass.${unknown}`;
}

async function readEvents(zoneId: string, ruleId: string, signal: AbortSignal) {
  const query = { since: '24h', where: `ruleId:eq:${ruleId}`, per_page: scoresMax };
  const answer = await client.get('/zones/{zone_id}/security/events', { zone_id: zoneId, query, signal });
  return { events: answer.result, isComplete: answer.result_info?.cursors?.after === undefined };
}

type Contributions = readonly { readonly ruleId: string; readonly score: number }[];

/** The points of rules for each of the newest requests; those recorded without an explanation are omitted. */
async function readContributions(
  zoneId: string,
  events: readonly SecurityEvent[],
  signal: AbortSignal,
): Promise<readonly Contributions[]> {
  const found: Contributions[] = [];
  for (const { id } of events.slice(0, explanationsMax)) {
    const { explanation } = await resultOf(
      client.get('/zones/{zone_id}/security/events/{event_id}/explain', {
        zone_id: zoneId,
        event_id: id,
        signal,
      }),
    );
    const score = explanation?.rules.find((rule) => rule.score !== undefined)?.score;
    if (score !== undefined) found.push(score.contributions);
  }
  return found;
}

function sumUpTo(parts: Contributions, levels: ReadonlyMap<string, number>, level: number): number {
  return parts
    .filter(({ ruleId }) => (levels.get(ruleId) ?? 1) <= level)
    .reduce((sum, { score }) => sum + score, 0);
}

function readScore({ metadata }: SecurityEvent): number {
  return Number(metadata.find(({ key }) => key === 'waf_score')?.value ?? 0);
}
