/**
 * Makes a data directory with many zones, each with a firewall rule, through the API of this process and without
 * waiting for the disk.
 *
 *     node bench/account/make-zones.ts <directory> <zones>
 */
import { Control } from '../../src/api/control.ts';
import { claimDataDirectory } from '../../src/program/server/data-directory.ts';

const [directory, zones] = [process.argv[2]!, Number(process.argv[3])];

/** Concurrent calls: writes to different objects share a write to the journal. */
const callsAtOnceMax = 64;

claimDataDirectory(directory, 'control plane');
const control = await Control.open({
  directory,
  durability: 'os',
  rateLimit: 'off',
  bootstrap: { accountName: 'Benchmark', email: 'owner@example.com' },
  onError: (error) => {
    throw error;
  },
});

async function call(route: string, body: unknown): Promise<{ readonly id: string }> {
  const [method, path] = route.split(' ') as [string, string];
  const { status, body: text } = await control.answer({
    method,
    target: `/client/v4${path}`,
    headers: {
      authorization: `Bearer ${control.bootstrapped!.token}`,
      'content-type': 'application/json',
    },
    address: '127.0.0.1',
    readBody: async () => Buffer.from(JSON.stringify(body)),
  });
  if (status !== 200 || typeof text !== 'string') throw new Error(`${route} was answered ${status}`);
  return (JSON.parse(text) as { result: { id: string } }).result;
}

async function makeZone(number: number): Promise<void> {
  const account = { id: control.directory.accountId };
  const { id } = await call('POST /zones', { name: `zone-${number}.example`, account });
  await call(`POST /zones/${id}/firewall/rules`, [
    { action: 'block', filter: { expression: `http.request.uri.path contains "/admin-${number}"` } },
  ]);
}

let next = 0;
async function makeZones(): Promise<void> {
  while (next < zones) await makeZone(next++);
}
await Promise.all(Array.from({ length: callsAtOnceMax }, makeZones));
console.log(JSON.stringify({ token: control.bootstrapped!.token, account: control.directory.accountId }));
await control.close();
