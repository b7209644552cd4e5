/** Large forms to a zone with all managed rules: 130 KB each, from twelve clients. */
import type { WorkerSite } from '../edge/worker-site.ts';
import { type Attack, repeat } from './neighbour.ts';

const form = Array.from(
  { length: 1_500 },
  (_, index) =>
    `field${index}=${encodeURIComponent(`it's a <b>text</b> -- of; people (${index}) who select things from tables`)}`,
)
  .join('&')
  .slice(0, 130_000);

export const bodies: Attack = {
  name: 'large forms',
  async prepare(site: WorkerSite): Promise<void> {
    await site.call(`PATCH /zones/${site.findZone('pro').id}/settings/waf`, { value: 'on' });
  },
  run: (site, signal) =>
    repeat(12, signal, () => site.send('/', { host: site.findZone('pro').name, body: form })),
};
