/** The comparison of both generations of managed rules. It reads the activity log, so it runs outside of objects. */
import { checkEntryPointChange } from '#rulesets';
import type { ZoneConfiguration } from '#firewall';
import { fault, genericCodes, migrationCodes, ok } from '#contract';
import { findDeployable } from '#managed';
import type { SecurityEvent } from '#events';
import type { ZoneFacts } from '../../context/directory.ts';
import { toSeconds } from '../../context/timestamps.ts';
import { compareGenerations, type ExecutingRule } from '../../migration/comparison.ts';
import { comparedEventsMax, comparedEventsPerTurn, comparedRequestsMax } from '../events/limits.ts';
import { readTimes } from '../events/search.ts';
import { accept } from '../rulesets/commit.ts';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';

const phase = 'http_request_firewall_managed';

export const comparisonHandlers: ObjectsHandlers<'migration.compare'> = {
  async 'migration.compare'(context, { path, body }) {
    const zone = context.directory.zones.get(path['zone_id']!)!;
    const configuration = await context.configurations.readConfiguration(zone.id);
    if (configuration === undefined) throw fault(genericCodes.zoneNotFound);
    const { migration: state, isWatched = false, edge } = configuration;
    const beganMs = await context.getZone(zone.id).readMigrationStart();
    if (state !== 'validation' || beganMs === undefined)
      throw fault(migrationCodes.migrationNotValidating, { fill: { state } });
    const rules = body.rules === undefined ? readRules(configuration) : checkRules(context, zone, body.rules);
    const since = body.since ?? new Date(beganMs).toISOString();
    const times = readTimes({ since, until: undefined }, zone, context.nowMs);
    const sinceMs = Math.max(times.sinceMs, beganMs);
    const { events, isComplete } = await readEvents(context, zone.id, { ...times, sinceMs });
    const plan = { rules, logsUnconfirmed: edge.unconfirmedScores === 'log' };
    return ok({
      since: toSeconds(sinceMs),
      watched: isWatched,
      is_complete: isComplete,
      ...compareGenerations(events, plan, comparedRequestsMax),
    });
  },
};

function readRules({ entryPoints }: ZoneConfiguration): readonly ExecutingRule[] {
  return entryPoints.find((each) => each.phase === phase && each.kind === 'zone')?.rules ?? [];
}

/** Refuses whatever the entry point would refuse. */
function checkRules(
  { directory }: ObjectsContext,
  { plan }: ZoneFacts,
  rules: readonly unknown[],
): readonly ExecutingRule[] {
  const checked = accept(
    checkEntryPointChange(
      { rules },
      { phase, current: undefined },
      {
        level: 'zone',
        plan,
        lists: directory.listKinds,
        managed: findDeployable,
        custom: () => undefined,
        hasEntryPoint: () => true,
      },
    ),
  );
  return checked.rules ?? [];
}

interface ReadEvents {
  readonly events: readonly SecurityEvent[];
  readonly isComplete: boolean;
}

/** The newest events of both generations. A request that is only partly among them is omitted. */
async function readEvents(
  { activity }: ObjectsContext,
  zoneId: string,
  times: { readonly sinceMs: number; readonly untilMs: number },
): Promise<ReadEvents> {
  const condition = {
    kind: 'test',
    field: 'source',
    operator: 'in',
    values: ['waf', 'firewallManaged'],
  } as const;
  const events: SecurityEvent[] = [];
  let cursor: Awaited<ReturnType<typeof activity.find>>['cursor'];
  do {
    const limit = Math.min(comparedEventsPerTurn, comparedEventsMax - events.length);
    const page = await activity.find(
      zoneId,
      { ...times, condition },
      { limit, order: 'newest', ...(cursor === undefined ? {} : { cursor }) },
    );
    events.push(...page.events);
    cursor = page.cursor;
  } while (cursor !== undefined && events.length < comparedEventsMax);
  if (cursor === undefined) return { events, isComplete: true };
  const last = events.at(-1)?.rayName;
  return { events: events.filter(({ rayName }) => rayName !== last), isComplete: false };
}
