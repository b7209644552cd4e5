import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { StartError } from '#base';
import { eventually } from '../eventually.ts';
import { TrustedNetworks } from '../../src/program/server/edge/trusted/trusted-networks.ts';

interface Publisher {
  readonly url: string;
  answer: { readonly status: number; readonly body: string };
}

async function publish(t: TestContext, body: string): Promise<Publisher> {
  const server = createServer((_request, response) => {
    response.writeHead(publisher.answer.status).end(publisher.answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ips`;
  const publisher: Publisher = { url, answer: { status: 200, body } };
  return publisher;
}

async function open(t: TestContext, sources: readonly string[], directory = temporary(t)) {
  const changes: (readonly string[])[] = [];
  const warnings: string[] = [];
  const ignore = (): void => {};
  const warn = (message: string): void => void warnings.push(message);
  const opened = await TrustedNetworks.open({
    settings: { trustedProxies: [], trustedProxiesFrom: sources, data: directory },
    log: { debug: ignore, info: ignore, warn, error: ignore },
  });
  opened.onChange = (networks) => void changes.push(networks);
  t.after(() => opened[Symbol.dispose]());
  return { opened, changes, warnings };
}

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-trusted-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test('TrustedNetworks reads files and addresses, and tells what has changed', async (t) => {
  const file = join(temporary(t), 'networks.txt');
  writeFileSync(file, '10.1.0.0/16\n');
  const publisher = await publish(t, '192.0.2.0/24\n');
  const { opened, changes } = await open(t, [file, publisher.url]);
  deepEqual(opened.networks.toSorted(), ['10.1.0.0/16', '192.0.2.0/24']);
  await opened.readAll();
  equal(changes.length, 0, 'nothing has changed');
  writeFileSync(file, '10.2.0.0/16\n');
  await opened.readAll();
  deepEqual(changes.at(-1)!.toSorted(), ['10.2.0.0/16', '192.0.2.0/24']);
});

test('TrustedNetworks keeps what it knows while an address answers nonsense, and through a restart', async (t) => {
  const directory = temporary(t);
  const publisher = await publish(t, '192.0.2.0/24\n');
  const first = await open(t, [publisher.url], directory);
  for (const answer of [
    { status: 503, body: 'later' },
    { status: 200, body: '<html>Sign in</html>' },
    { status: 200, body: '0.0.0.0/0' },
  ]) {
    publisher.answer = answer;
    await first.opened.readAll();
    deepEqual(first.opened.networks, ['192.0.2.0/24']);
  }
  equal(first.warnings.length, 3);
  match(first.warnings[0]!, /stay trusted/);
  const second = await open(t, [publisher.url], directory);
  deepEqual(second.opened.networks, ['192.0.2.0/24']);
  publisher.answer = { status: 200, body: '198.51.100.0/24' };
  await eventually(() => second.changes.length > 0, 'it reads again by itself');
  deepEqual(second.changes.at(-1), ['198.51.100.0/24']);
});

test('TrustedNetworks starts without an address that has never answered, and not without a file', async (t) => {
  const publisher = await publish(t, '');
  publisher.answer = { status: 404, body: '' };
  const { opened, warnings, changes } = await open(t, [publisher.url]);
  deepEqual(opened.networks, []);
  match(warnings[0]!, /not trusted until/);
  publisher.answer = { status: 200, body: '192.0.2.0/24' };
  await opened.readAll();
  deepEqual(changes, [['192.0.2.0/24']]);
  const missing = join(temporary(t), 'missing.txt');
  await rejects(
    open(t, [missing]),
    (error) => error instanceof StartError && error.message.includes(missing),
  );
});
