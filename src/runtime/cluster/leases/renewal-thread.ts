/** The thread that renews the leases of this process, on its own connections: it runs while objects compute. */
import { parentPort, workerData } from 'node:worker_threads';
import { SystemLeaseClock } from '../lease-clock.ts';
import { renewalMsMin } from '../limits.ts';
import { LeaseRenewal, type Renewed } from './lease-renewal.ts';
import { PostgresConnection } from '../postgres/postgres-connection.ts';
import { keepStatement } from '../postgres/statements.ts';
import { type FromThread, sharedTime, type RenewalThreadData, type ToThread } from './messages.ts';

const { clockBaseMs, turned } = workerData as RenewalThreadData;
const clock = new SystemLeaseClock(clockBaseMs);
const turns = new BigInt64Array(turned);

interface RenewedLease {
  readonly renewal: LeaseRenewal;
  readonly connection: PostgresConnection;
}

const kept = new Map<string, RenewedLease>();

parentPort!.on('message', (message: ToThread) => {
  if (message.kind === 'keep') return keep(message);
  const found = kept.get(message.id);
  kept.delete(message.id);
  found?.renewal.end();
  void found?.connection.close();
});

function keep({
  deadline,
  lease: { id, url, leaseMs, stuckMs },
}: ToThread & { readonly kind: 'keep' }): void {
  const deadlines = new BigInt64Array(deadline);
  const connection = new PostgresConnection(url, { clock, answerMs: Math.max(leaseMs, renewalMsMin) });
  const tell = (message: FromThread): void => parentPort!.postMessage(message, []);
  const renewal = new LeaseRenewal({
    clock,
    leaseMs,
    stuckMs,
    renew: async (busyMs): Promise<Renewed> => {
      const [row] = await connection.query<{ readonly renewed: number }>({
        name: 'keep',
        text: keepStatement,
        values: [id, leaseMs, busyMs],
      });
      if (row === undefined) return 'not there';
      return row.renewed === 1 ? 'renewed' : 'declared dead';
    },
    turnedAt: () => sharedTime.read(turns, 0),
    processorMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    },
    onDeadline: (time) => sharedTime.write(deadlines, 0, time),
    onStuck: (busyMs) => tell({ kind: 'stuck', id, busyMs }),
  });
  kept.set(id, { renewal, connection });
  renewal.begin();
}
