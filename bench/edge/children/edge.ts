/**
 * An edge with one zone. Prints its port, and when it is asked to exit, the outcome of its events.
 *
 *     node bench/edge/children/edge.ts <port of the origin> '{"firewallRules":true,"managed":true,"log":true}' <directory for events> [directory with OWASP rules]
 */
import { Edge } from '../../../src/traffic/edge.ts';
import { realClock } from '../../../src/foundation/base.ts';
import { VersionStore } from '../../../src/rules/seclang.ts';
import { openEventStore } from '../../../src/traffic/events.ts';
import { zoneOf, type ZoneParts } from '../zones.ts';

const [originPort, parts, directory, rules] = process.argv.slice(2) as [string, string, string, string?];
const store = await openEventStore({ directory, clock: realClock, log: console.error });
const edge = await Edge.start({
  listeners: [{ port: 0 }],
  secret: Buffer.alloc(32, 1),
  addresses: { allowPrivate: true },
  writeEvents: (zoneId, events, retentionMs) => store.append(zoneId, events, retentionMs),
  sendLearned: async () => {},
});
if (rules !== undefined) await edge.updateCoreRules(new VersionStore(rules).readCurrent());
const problems = edge.update(zoneOf(JSON.parse(parts) as ZoneParts, Number(originPort)));
if (problems === undefined || problems.length > 0)
  throw new Error(`the zone is not in force: ${JSON.stringify(problems)}`);
edge.complete();
console.log(edge.addresses[0]!.port);
process.once('SIGTERM', () => void end());

async function end(): Promise<void> {
  await edge.close();
  console.log(JSON.stringify(edge.stats().events));
  await store.close();
}
