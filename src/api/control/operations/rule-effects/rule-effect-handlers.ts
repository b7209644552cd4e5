/** The effects of rules according to the activity log, and what a rule would have done to the last requests. */
import { type EventGroups, retentionMs } from '#events';
import { ok, type PlainReply, type Result, type WrittenResponse } from '#contract';
import type { ZoneConfiguration } from '#firewall';
import type { ObjectsHandlers } from '../several-objects.ts';
import { addPreviews, previewRule } from './preview-rule.ts';

const dayMs = 86_400_000;
/** Rules without any effect for this long are shown as unused. */
const unusedMs = 30 * dayMs;

type Effect = Result<'ruleEffects.list'>['rules'][number];

export const ruleEffectHandlers: ObjectsHandlers<'ruleEffects'> = {
  async 'ruleEffects.list'({ directory, activity, configurations, nowMs }, { path, query: { limit } }) {
    const { id, plan } = directory.zones.get(path['zone_id']!)!;
    const keptMs = Math.min(unusedMs, retentionMs[plan]);
    const count = (fromMs: number): Promise<EventGroups> =>
      activity.group(
        id,
        { sinceMs: fromMs, untilMs: nowMs + 1 },
        { dimensions: [{ field: 'ruleId' }, { field: 'rulesetId' }, { field: 'description' }], limit },
      );
    const [all, day, configuration] = await Promise.all([
      count(nowMs - keptMs),
      count(nowMs - dayMs),
      configurations.readConfiguration(id),
    ]);
    const rules = joinEffects({
      all,
      day,
      known: configuration === undefined ? [] : listRules(configuration),
    });
    return ok({
      days: Math.round(keptMs / dayMs),
      rules: rules.slice(0, limit),
      is_complete: all.isComplete && all.ungrouped === 0 && rules.length <= limit,
    });
  },

  async 'ruleEffects.preview'(context, { path, body }) {
    const zone = context.directory.zones.get(path['zone_id']!)!;
    const [own, others = []] = await Promise.all([
      previewRule(context, zone, body),
      context.askOtherHosts?.(),
    ]);
    return ok(addPreviews([own, ...others.flatMap(readPreview)]));
  },
};

/** A host without a usable answer counts as one without a log. */
function readPreview(answer: WrittenResponse | PlainReply): readonly Result<'ruleEffects.preview'>[] {
  if ('kind' in answer || answer.status !== 200) return [];
  return [JSON.parse(answer.body!).result];
}

interface KnownRule {
  readonly ruleId: string;
  readonly rulesetId: string;
  readonly description: string;
}

/** The rules that users write, in order of evaluation. */
function listRules({ firewallRules, entryPoints, customRulesets }: ZoneConfiguration): readonly KnownRule[] {
  return [
    ...firewallRules.map(({ id, description }) => ({ ruleId: id, rulesetId: '', description })),
    ...[...entryPoints, ...customRulesets].flatMap(({ id, rules }) =>
      rules
        .filter(({ enabled, action }) => enabled && action !== 'execute')
        .map((rule) => ({ ruleId: rule.id, rulesetId: id, description: rule.description ?? '' })),
    ),
  ];
}

interface Counted {
  readonly all: EventGroups;
  readonly day: EventGroups;
  readonly known: readonly KnownRule[];
}

/** Older events have an earlier description of a changed rule: it is still one rule. */
function joinEffects({ all, day, known }: Counted): readonly Effect[] {
  const inForce = new Set(known.map(({ ruleId }) => ruleId));
  const effects = new Map<string, Effect>(
    known.map(({ ruleId, rulesetId, description }) => [
      ruleId,
      createEffect({ rule_id: ruleId, ruleset_id: rulesetId, description, is_in_force: true }),
    ]),
  );
  for (const { count, values, lastMs } of all.groups) {
    const [rule_id, ruleset_id, description] = values.map(String) as [string, string, string];
    const effect =
      effects.get(rule_id) ??
      createEffect({ rule_id, ruleset_id, description, is_in_force: inForce.has(rule_id) });
    const last = new Date(lastMs).toISOString();
    effects.set(rule_id, {
      ...effect,
      hits: effect.hits + count,
      last_match: effect.last_match === null || effect.last_match < last ? last : effect.last_match,
    });
  }
  for (const { count, values } of day.groups) {
    const effect = effects.get(String(values[0]));
    if (effect !== undefined) effects.set(effect.rule_id, { ...effect, hits_24h: effect.hits_24h + count });
  }
  return [...effects.values()].toSorted((a, b) => b.hits_24h - a.hits_24h || b.hits - a.hits);
}

function createEffect(rule: Pick<Effect, 'rule_id' | 'ruleset_id' | 'description' | 'is_in_force'>): Effect {
  return { ...rule, hits_24h: 0, hits: 0, last_match: null };
}
