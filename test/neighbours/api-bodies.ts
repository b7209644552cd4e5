/** Bodies of the API that cost as much as a body of 4 MB can, from a token that may write to one zone. */
import { createLimitedToken } from '../server/limited-token.ts';
import { type Attack, repeat } from './neighbour.ts';

const bytesMax = 3_400_000;

/** As many pieces as fit into a body. */
function fill(make: (index: number) => string, [start, end]: readonly [string, string]): Buffer {
  const parts: string[] = [];
  for (let index = 0, bytes = 0; bytes < bytesMax; index++) {
    const part = make(index);
    parts.push(part);
    bytes += part.length + 1;
  }
  return Buffer.from(start + parts.join(',') + end);
}

const hostile: readonly Buffer[] = [
  fill((index) => `"k${index}":1`, ['[{', '}]']),
  fill((index) => `"k${index}":1`, ['{', '}']),
  fill(() => '{}', ['[', ']']),
  fill((index) => `{"expression":"ip.src eq 192.0.2.${index % 256}"}`, ['[', ']']),
  fill(() => '"\\n"', ['[', ']']),
  Buffer.from('['.repeat(bytesMax)),
  Buffer.from(`[${'1'.repeat(bytesMax)}]`),
  Buffer.from(`[{"expression":"${'\\"'.repeat(bytesMax / 2)}"}]`),
  Buffer.from(`${'\n'.repeat(bytesMax)}x`),
];

export const apiBodies: Attack = {
  name: 'hostile bodies to the API',
  async run(site, signal) {
    const { id: zone } = site.findZone('enterprise');
    const token = await createLimitedToken(site.ready, {
      groups: ['Firewall Services Write'],
      resource: `com.cloudflare.api.account.zone.${zone}`,
    });
    let next = 0;
    return await repeat(4, signal, async () => {
      const answer = await fetch(`${site.ready.api}/zones/${zone}/filters`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: hostile[next++ % hostile.length]!,
      });
      await answer.arrayBuffer();
    });
  },
};
