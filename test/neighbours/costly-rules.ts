/** A rule of 64 patterns for which a long cookie always creates new states, within its budget and beyond it. */
import { once } from 'node:events';
import { request } from 'node:http';
import type { WorkerSite } from '../edge/worker-site.ts';
import { createCostlyText } from '../../src/rules/firewall/testing.ts';
import { type Attack, repeat } from './neighbour.ts';

const expression = Array.from(
  { length: 64 },
  (_, index) => `http.cookie matches "[ab]*a[ab]{${400 + index}}[c-z]"`,
).join(' or ');

const cookie = createCostlyText(15_000);

export const costlyRules: Attack = {
  name: 'costly rules',
  async prepare(site) {
    await site.call(`POST /zones/${site.zone.id}/firewall/rules`, [
      { action: 'log', filter: { expression } },
    ]);
  },
  run: (site, signal) => repeat(8, signal, () => sendCookie(site)),
};

async function sendCookie(site: WorkerSite): Promise<void> {
  const { hostname, port } = new URL(site.ready.edge);
  const headers = { host: site.zone.name, cookie };
  const outgoing = request({ hostname, port, path: '/', headers, agent: false });
  outgoing.end();
  const [incoming] = await once(outgoing, 'response');
  incoming.resume();
  await once(incoming, 'end');
}
