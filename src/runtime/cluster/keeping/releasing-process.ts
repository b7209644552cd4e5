/**
 * Releases the leases of the process that started it as soon as that is dead, so that its objects need not wait for the end
 * of its leases. The other end of its standard input is closed by the kernel when no thread of that process runs any more,
 * and by nothing else: then nothing can be answered in its name, and what it has sent to the database is refused there.
 *
 * It outlives that process by a moment, and so does not listen to signals that are meant for both.
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

/** After two leases the other hosts have done it. */
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
