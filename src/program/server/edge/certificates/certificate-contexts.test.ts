import { deepEqual, equal, throws } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { test } from 'node:test';
import { connect, type SecureContext, TLSSocket } from 'node:tls';
import { createAuthority, issueCertificate } from '#certificates';
import { CertificateContexts } from './certificate-contexts.ts';

const dayMs = 86_400_000;
const authority = createAuthority('Test', Date.now());

function issue(): { readonly cert: string; readonly key: string | Buffer } {
  const { certificate, privateKey } = issueCertificate(authority, ['a.example'], Date.now());
  return { cert: certificate.toString(), key: privateKey.export({ type: 'pkcs8', format: 'pem' }) };
}

async function listen(context: () => SecureContext): Promise<Server> {
  const server = createServer((socket) => {
    const secured = new TLSSocket(socket, { isServer: true, secureContext: context() });
    secured.on('error', () => {});
    secured.write('x');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

/** Whether a session was resumed, and the ticket for the next one. */
async function visit(server: Server, session?: Buffer): Promise<{ isReused: boolean; ticket: Buffer }> {
  const { port } = server.address() as { port: number };
  const client = connect({
    port,
    host: '127.0.0.1',
    servername: 'a.example',
    rejectUnauthorized: false,
    ...(session === undefined ? {} : { session }),
  });
  let ticket = Buffer.alloc(0);
  client.on('session', (given: Buffer) => (ticket = Buffer.from(given)));
  // Tickets arrive before data.
  await once(client, 'data');
  const isReused = client.isSessionReused();
  client.destroy();
  return { isReused, ticket };
}

test('CertificateContexts lets sessions go on in every process with the secret, until the keys change', async (t) => {
  const secret = Buffer.alloc(32, 7);
  let nowMs = 100 * dayMs;
  // Another process has issued a certificate of its own.
  const processes = [secret, secret, Buffer.alloc(32, 8)].map(
    (each) => new CertificateContexts(issue(), each, nowMs),
  );
  const servers = await Promise.all(processes.map((contexts) => listen(() => contexts.get({}, nowMs))));
  t.after(() => servers.forEach((server) => server.close()));
  const [first, second, stranger] = servers as [Server, Server, Server];
  const { isReused, ticket } = await visit(first);
  deepEqual(
    [isReused, (await visit(second, ticket)).isReused, (await visit(stranger, ticket)).isReused],
    [false, true, false],
  );
  nowMs += dayMs;
  equal((await visit(second, ticket)).isReused, false);
});

test('CertificateContexts keeps one context for each choice, and refuses a key of another certificate', () => {
  const contexts = new CertificateContexts(issue(), undefined, 0);
  const choice = { minVersion: 'TLSv1.3' } as const;
  equal(contexts.get(choice, 0), contexts.get({ ...choice }, 0));
  equal(contexts.get(choice, 0) === contexts.get({}, 0), false);
  throws(() => new CertificateContexts({ cert: issue().cert, key: issue().key }, undefined, 0));
});
