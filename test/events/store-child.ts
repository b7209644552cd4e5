/** Appends events until it is killed, and prints the number of each batch that is on disk. */
import { realClock } from '#base';
import { openEventStore } from '#events';
import { createEvent } from '../../src/traffic/events/testing.ts';

const [directory, first] = process.argv.slice(2) as [string, string];
const store = await openEventStore({
  directory,
  clock: realClock,
  log: (message) => process.stderr.write(message),
});
const zones = ['a', 'b', 'c'];

async function write(worker: number): Promise<void> {
  for (let batch = 0; ; batch++) {
    const ids = Array.from({ length: 40 }, (_, index) => `${first}x${worker}x${batch}x${index}-T-0`);
    const datetime = new Date(realClock.now()).toISOString();
    const events = ids.map((id) => ({ event: createEvent(id, { datetime, userAgent: `agent of ${id}` }) }));
    await store.append(zones[worker]!, events, 86_400_000);
    process.stdout.write(`${zones[worker]} ${ids.join(' ')}\n`);
  }
}

await Promise.all(zones.map((_, worker) => write(worker)));
