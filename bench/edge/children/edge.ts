/**
 * An edge with one zone. Prints its port, and when it is told to end, what became of its events.
 *
 *     node bench/edge/children/edge.ts <port of the origin> '{"firewallRules":true,"managed":true,"log":true}' <directory for events>
 */
import { Edge } from '../../../src/edge.ts';
import { EventLog, packEvents } from '../../../src/events.ts';
import { createRuntime } from '../../../src/objects.ts';
import { zoneOf, type ZoneParts } from '../zones.ts';

const [originPort, parts, directory] = process.argv.slice(2) as [string, string, string];
const runtime = await createRuntime({
  directory,
  durability: 'disk',
  classes: { EventLog: { class: EventLog, storage: 'sql' } },
});
const logs = runtime.namespace<EventLog>('EventLog');
const edge = await Edge.start({
  listeners: [{ port: 0 }],
  secret: Buffer.alloc(32, 1),
  addresses: { allowPrivate: true },
  writeEvents: async (zoneId, events, retentionMs) => {
    await logs.getByName(zoneId).append(packEvents(events), retentionMs);
  },
});
const problems = edge.update(zoneOf(JSON.parse(parts) as ZoneParts, Number(originPort)));
if (problems === undefined || problems.length > 0)
  throw new Error(`the zone is not in force: ${JSON.stringify(problems)}`);
edge.complete();
console.log(edge.addresses[0]!.port);
process.once('SIGTERM', () => void end());

async function end(): Promise<void> {
  await edge.close();
  console.log(JSON.stringify(edge.stats().events));
  await runtime.close();
}
