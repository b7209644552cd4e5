/** Learned values of a site, for tests of the page that shows them. */
import { equal } from 'node:assert/strict';
import { parseIp } from '#addresses';
import { Batch } from '#learning';
import type { DashboardSite } from './dashboard-site.ts';

/** Two values of a path from thirty networks, reported as a remote edge does. The site already collects values. */
export async function teachValues(site: DashboardSite, zoneId: string): Promise<void> {
  const batch = new Batch(await readLearningSeed(site, zoneId));
  for (let network = 0; network < 30; network++)
    batch.add({
      ip: parseIp(`10.0.${network}.1`)!,
      path: '/product/17',
      values: ['id', 'next'].map((name) => ({ place: 'argument', name, value: '17' })),
      day: Math.floor(Date.now() / 86_400_000),
    });
  const told = await site.call(`POST /accounts/${site.program.ready.account_id}/edge/learning`, {
    zone_id: zoneId,
    ...batch.toMessage(),
  });
  equal(told.result.values, 2);
}

/** The secret with which edges hash networks, from the feed of edges. */
async function readLearningSeed(site: DashboardSite, zoneId: string): Promise<string> {
  const { api, account_id: accountId } = site.program.ready;
  const end = new AbortController();
  const { body } = await fetch(`${api}/accounts/${accountId}/edge/feed`, {
    headers: { authorization: `Bearer ${site.token}` },
    signal: end.signal,
  });
  let text = '';
  for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const found = new RegExp(`"id":"${zoneId}".*"learned":\\{"seed":"(\\w+)"`).exec(text)?.[1];
    if (found === undefined) continue;
    end.abort();
    return found;
  }
  throw new Error('the feed has ended');
}
