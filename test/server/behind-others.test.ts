/** A server behind proxies: the client's address, by a list of trusted proxies and by the PROXY protocol. */
import { equal } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { TestOrigin } from '../edge/test-origin.ts';
import { RawClient } from '../edge/wire/raw-client.ts';
import { eventually } from '../eventually.ts';
import { Gatehouse, temporary } from './gatehouse.ts';

test('gatehouse serve trusts the proxies of a list, and the header of a load balancer', async (t) => {
  const directory = temporary(t);
  const list = join(directory, 'networks.txt');
  writeFileSync(list, '# our proxy\n127.0.0.3/32\n');
  await using origin = await TestOrigin.listen();
  const { ready } = await Gatehouse.start(t, {
    directory,
    args: [
      '--trusted-proxies-from',
      list,
      '--proxy-protocol',
      '127.0.0.2',
      '--allow-private-origins',
      'true',
    ],
    environment: { GATEHOUSE_EDGE_WORKERS: '1' },
  });
  const { id, name } = ready.zones[0]!;
  const port = Number(new URL((ready as unknown as { edge: string }).edge).port);
  const changed = await fetch(`${ready.api}/zones/${id}/edge`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ origin: { url: origin.url } }),
  });
  equal(changed.status, 200);
  const ask = async (from: string, header = ''): Promise<unknown> => {
    const client = await RawClient.connect(port, from);
    client.send(`${header}GET / HTTP/1.1\r\nHost: ${name}\r\nX-Forwarded-For: 203.0.113.5\r\n\r\n`);
    await client.response();
    client.socket.destroy();
    return origin.take().at(-1)?.headers['cf-connecting-ip'];
  };
  await eventually(async () => (await ask('127.0.0.3')) === '203.0.113.5', 'the proxy of the list');
  equal(await ask('127.0.0.1'), '127.0.0.1');
  equal(await ask('127.0.0.2', 'PROXY TCP4 192.0.2.7 198.51.100.1 60000 80\r\n'), '192.0.2.7');
  equal(await ask('127.0.0.2'), undefined, 'without a header');
});
