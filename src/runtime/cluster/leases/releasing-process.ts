/**
 * Releases the leases of its parent process as soon as that dies, so that the parent's objects need not wait until its
 * leases expire. The kernel closes the other end of this process's standard input exactly when no thread of the parent
 * runs any more: then the parent can send no more answers, and the database refuses statements that it has sent.
 *
 * It outlives the parent by a moment, and therefore ignores signals that are meant for both.
 */
import { createInterface } from 'node:readline';
import pg from 'pg';
import { releaseMsMax, retryMsMax } from '../limits.ts';
import { splitSchema } from '../postgres/schema-name.ts';
import { releaseHostStatement } from '../postgres/statements.ts';
import type { LeaseToKeep, ToReleaser } from './messages.ts';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.title = `gatehouse: releases the leases of ${process.ppid}`;

type Lease = Pick<LeaseToKeep, 'id' | 'url' | 'leaseMs'>;

const leases = new Map<string, Lease>();
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as ToReleaser;
  if (message.kind === 'keep') leases.set(message.lease.id, message.lease);
  else leases.delete(message.id);
}
await Promise.all(Array.from(leases.values(), release));
process.exit();

/** After two leases the other hosts have released it. */
async function release({ id, url: given, leaseMs }: Lease): Promise<void> {
  const { url, qualify } = splitSchema(given);
  const end = performance.now() + Math.min(2 * leaseMs, releaseMsMax);
  while (performance.now() < end) {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: releaseMsMax,
      application_name: 'gatehouse',
    });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query(qualify(releaseHostStatement), [id]);
      return;
    } catch {
      await new Promise<void>((resolve) => void setTimeout(resolve, retryMsMax));
    } finally {
      await client.end().catch(() => {});
    }
  }
}
