import { deepEqual, equal, rejects, throws } from 'node:assert/strict';
import { randomBytes, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import {
  AccountKey,
  AcmeAuthority,
  createCertificateKey,
  createRecordChanger,
  type DnsSettings,
  orderCertificate,
  presentByDns,
} from '#certificates';
import { TestAuthority } from './test-authority.ts';
import { TestNameServer } from './test-name-server.ts';

const names = ['shop.example', '*.shop.example'];
const record = '_acme-challenge.shop.example';
const key = { name: 'gatehouse', secret: randomBytes(32) };

/** A store for records, and the changes made to it. */
interface Place {
  readonly settings: DnsSettings;
  readonly find: (name: string) => readonly string[];
  readonly listChanges: () => readonly string[];
}

const places: Readonly<Record<string, (t: TestContext) => Promise<Place>>> = {
  async 'a program'(t) {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-dns-'));
    t.after(() => rmSync(directory, { recursive: true }));
    const [program, log] = [join(directory, 'change records'), join(directory, 'log')];
    writeFileSync(program, `#!/bin/sh\necho "$1 $2 $3" >> '${log}'\n`);
    chmodSync(program, 0o700);
    const readLines = (): string[][] =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .trim()
            .split('\n')
            .map((line) => line.split(' '))
        : [];
    return {
      settings: { place: program, key: undefined, waitMs: 0 },
      find: (name) => replay(readLines(), name),
      listChanges: () => readLines().map(([kind, name]) => `${kind} ${name}`),
    };
  },
  async 'a webhook'(t) {
    const asked: string[][] = [];
    const server = createServer(async (request, response) => {
      const { fqdn, value } = (await json(request)) as Record<string, string>;
      const isAllowed = request.headers.authorization === `Basic ${btoa('me:secret')}`;
      if (isAllowed) asked.push([request.url!.split('/').at(-1)!, fqdn!, value!]);
      response.writeHead(isAllowed ? 200 : 401).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    return {
      settings: { place: `http://127.0.0.1:${port}/hook/`, key: 'me:secret', waitMs: 0 },
      find: (name) => replay(asked, name),
      listChanges: () => asked.map(([kind, name]) => `${kind} ${name}`),
    };
  },
  async 'a name server'(t) {
    const server = await TestNameServer.listen({ zone: 'shop.example', key });
    t.after(() => server[Symbol.asyncDispose]());
    return {
      settings: toSettings(server),
      find: (name) => server.records.get(name) ?? [],
      listChanges: () =>
        server.changes.map((change) => `${change.replace('add', 'present').replace('remove', 'cleanup')}.`),
    };
  },
};

function replay(changes: readonly (readonly string[])[], name: string): string[] {
  const values = new Set<string>();
  for (const [kind, changed, value] of changes) {
    if (changed !== `${name}.`) continue;
    if (kind === 'present') values.add(value!);
    else values.delete(value!);
  }
  return [...values];
}

function toSettings({ port }: TestNameServer, { name, secret } = key): DnsSettings {
  const written = `hmac-sha256:${name}:${secret.toString('base64')}`;
  return { place: `dns://127.0.0.1:${port}`, key: written, waitMs: 0 };
}

for (const [kind, open] of Object.entries(places)) {
  test(`orderCertificate proves wildcards by records that ${kind} changes, and takes them away`, async (t) => {
    const place = await open(t);
    const authority = await TestAuthority.listen({
      findsAt: () => ({ host: '127.0.0.1', port: 1 }),
      findsRecords: place.find,
    });
    t.after(() => authority[Symbol.asyncDispose]());
    const { directory, trusted } = authority;
    const chain = await orderCertificate({
      authority: new AcmeAuthority({
        directory,
        trusted,
        key: new AccountKey(randomBytes(32)),
        email: undefined,
      }),
      names,
      privateKey: createCertificateKey(),
      present: { 'dns-01': presentByDns(place.settings) },
    });
    equal(new X509Certificate(chain).subjectAltName, 'DNS:shop.example, DNS:*.shop.example');
    const [present, cleanup] = [`present ${record}.`, `cleanup ${record}.`];
    deepEqual(place.listChanges(), [present, cleanup, present, cleanup]);
    deepEqual(place.find(record), []);
  });
}

const change = { kind: 'present', name: `${record}.`, value: 'x' } as const;

test('createRecordChanger follows an alias to a record that others may change', async (t) => {
  const aliases = { [record]: 'proofs.shop.example' };
  const server = await TestNameServer.listen({ zone: 'shop.example', key, aliases });
  t.after(() => server[Symbol.asyncDispose]());
  await createRecordChanger(toSettings(server))(change);
  deepEqual([...server.records], [['proofs.shop.example', ['x']]]);
});

test('createRecordChanger says why records could not be changed', async (t) => {
  const server = await TestNameServer.listen({ zone: 'shop.example', key });
  t.after(() => server[Symbol.asyncDispose]());
  const settings = toSettings(server);
  const changeIt = createRecordChanger(settings);
  const otherKey = toSettings(server, { ...key, secret: randomBytes(32) });
  await rejects(createRecordChanger(otherKey)(change), { problem: 'dns', message: /its secret differs/ });
  await rejects(changeIt({ ...change, name: '_acme-challenge.other.example.' }), /has no zone for this name/);
  for (const [fault, message] of [
    ['unsigned answer', /its answer is not signed/],
    ['other answer', /its answer cannot be read/],
    ['closes', /it closed the connection|ECONNRESET/],
  ] as const) {
    server.fault = fault;
    await rejects(changeIt(change), { problem: 'dns', message }, fault);
  }
  const place = join(tmpdir(), 'gatehouse-no-such-program');
  const program = createRecordChanger({ ...settings, place });
  await rejects(program(change), { problem: 'dns', message: /ENOENT/ });
  const failing = createRecordChanger({ ...settings, place: '/bin/false' });
  await rejects(failing(change), { problem: 'dns', message: /\/bin\/false could not change the records/ });
});

test('createRecordChanger refuses settings that lead nowhere', () => {
  const settings = { key: undefined, waitMs: 0 };
  throws(
    () => createRecordChanger({ ...settings, place: 'change-records' }),
    /not an absolute path of a program/,
  );
  throws(() => createRecordChanger({ ...settings, place: 'dns://ns.example' }), /acme_dns_key is missing/);
  for (const wrong of ['secret', 'hmac-md5:name:AAAA', 'hmac-sha256::AAAA', 'hmac-sha256:name:!']) {
    throws(
      () => createRecordChanger({ ...settings, place: 'dns://ns.example', key: wrong }),
      /ALGORITHM:NAME:SECRET/,
    );
  }
});
