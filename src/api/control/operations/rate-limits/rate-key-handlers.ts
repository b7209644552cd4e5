/** The keys that rate limits currently count, and the exchange of hosts about them. */
import { setTimeout as delay } from 'node:timers/promises';
import { fault, ok, rateLimitCodes, type Result } from '#contract';
import { splitRateKey } from '#firewall';
import { toSeconds } from '../../context/timestamps.ts';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';
import { readRange } from '../events/search.ts';
import type { ShownKey } from './rate-exchange.ts';
import { suggestLimit } from './suggest-limit.ts';

/** Windows of all visitors together. */
const windowsMax = 100_000;

/** Hosts learn every two seconds whether keys are requested; slower hosts are not waited for. */
const looksMax = 60;
const betweenLooksMs = 100;

export const rateKeyHandlers: ObjectsHandlers<'rateKeys'> = {
  async 'rateKeys.list'({ account }, { path }) {
    return ok((await lookAtKeys(account, path['zone_id']!)).map(toJson));
  },

  async 'rateKeys.suggest'({ activity, directory, nowMs }, { path, query }) {
    const zone = directory.zones.get(path['zone_id']!)!;
    const { groups, ungrouped, isComplete } = await activity.group(zone.id, readRange(query, zone, nowMs), {
      dimensions: [{ bucketMs: query.period * 1_000 }, { field: 'clientIP' }],
      limit: windowsMax,
    });
    const { stopped, ...found } = suggestLimit(groups, query.limit === 0 ? undefined : query.limit);
    return ok({
      period: query.period,
      visitors: found.visitors,
      requests: found.requests,
      suggested_limit: found.suggestedLimit,
      peak: found.peak,
      stopped_visitors: found.stoppedVisitors,
      stopped_requests: found.stoppedRequests,
      stopped: stopped.map(({ address, ...same }) => ({ ip: address, ...same })),
      is_complete: isComplete && ungrouped === 0,
    });
  },

  async 'rateKeys.release'({ account, actor }, { path }) {
    const id = path['key_id']!;
    const by = { actor, operation: 'rateKeys.release' };
    const zoneId = path['zone_id']!;
    await lookAtKeys(account, zoneId);
    const released = await account.releaseRateKey(by, zoneId, id);
    if (released === undefined) throw fault(rateLimitCodes.rateKeyNotFound, { fill: { id } });
    return ok({ id });
  },

  async 'rateKeys.exchange'({ account }, { body: { instance, host, after, counts, keys } }) {
    const answer = await account.exchangeRates(
      {
        instance,
        after,
        counts: counts.map(({ period_ms, stop_ms, ...same }) => ({
          ...same,
          periodMs: period_ms,
          stopMs: stop_ms,
          isOfAllHosts: true,
        })),
        keys: keys?.map(({ period_ms, until_ms, ...same }) => ({
          ...same,
          periodMs: period_ms,
          untilMs: until_ms,
        })),
      },
      host,
    );
    return ok({
      after: answer.after,
      counts: answer.counts.map(({ key, requests, added, periodMs, stopMs }) => ({
        key,
        requests,
        added,
        period_ms: periodMs,
        stop_ms: stopMs,
      })),
      released: [...answer.released],
      keys_wanted: answer.keysWanted,
    });
  },
};

/** Waits until the hosts have reported which keys they count, unless keys were requested recently. */
async function lookAtKeys(account: ObjectsContext['account'], zoneId: string): Promise<readonly ShownKey[]> {
  for (let looks = 1; ; looks++) {
    const { keys, isComplete } = await account.lookAtRateKeys(zoneId);
    if (isComplete || looks === looksMax) return keys;
    await delay(betweenLooksMs);
  }
}

function toJson({
  id,
  key,
  host,
  count,
  requests,
  periodMs,
  untilMs,
}: ShownKey): Result<'rateKeys.list'>[number] {
  const { ruleId, values } = splitRateKey(key);
  return {
    id,
    rule_id: ruleId,
    values: values.map((value) => value ?? null),
    host,
    count,
    limit: requests,
    period: periodMs / 1_000,
    stopped_until: untilMs === 0 ? null : toSeconds(untilMs),
  };
}
