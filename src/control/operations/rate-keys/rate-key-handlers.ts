/** The keys that rate limits count now, and what hosts say to each other about them. */
import { fault, ok, rateLimitCodes, type Result } from '#contract';
import { splitRateKey } from '#firewall';
import { toSeconds } from '../../context/timestamps.ts';
import type { ObjectsHandlers } from '../several-objects.ts';
import { readRange } from '../events/search.ts';
import type { ShownKey } from './rate-exchange.ts';
import { suggestLimit } from './suggest-limit.ts';

/** Of all visitors together. */
const windowsMax = 100_000;

export const rateKeyHandlers: ObjectsHandlers<'rateKeys'> = {
  async 'rateKeys.list'({ account }, { path }) {
    return ok((await account.listRateKeys(path['zone_id']!)).map(toJson));
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
    const released = await account.releaseRateKey(by, path['zone_id']!, id);
    if (released === undefined) throw fault(rateLimitCodes.rateKeyNotFound, { fill: { id } });
    return ok({ id });
  },

  async 'rateKeys.exchange'({ account }, { body: { instance, host, after, counts, keys } }) {
    const answer = await account.exchangeRates(
      {
        instance,
        after,
        counts: counts.map(({ period_ms, until_ms, ...same }) => ({
          ...same,
          periodMs: period_ms,
          untilMs: until_ms,
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
      counts: answer.counts.map(({ key, requests, added, periodMs, untilMs }) => ({
        key,
        requests,
        added,
        period_ms: periodMs,
        until_ms: untilMs,
      })),
      released: [...answer.released],
    });
  },
};

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
