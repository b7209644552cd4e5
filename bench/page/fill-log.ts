/** A log with many events of one zone, spread over the month up to now. */
import { VirtualClock } from '../../src/foundation/base.ts';
import { openEventStore, type RecordedEvent } from '../../src/traffic/events.ts';
import { createOrdinaryEvents } from '../events/ordinary-events.ts';

const monthMs = 30 * 86_400_000;
const batchEvents = 2_000;

interface FillOptions {
  readonly directory: string;
  readonly zoneId: string;
  readonly count: number;
}

export async function fillLog({ directory, zoneId, count }: FillOptions): Promise<void> {
  const samples = await createOrdinaryEvents({ count: 20_000, seed: 1, startMs: 0, perSecond: 200 });
  // The oldest of them stay for as long as a run takes.
  const spanMs = monthMs - 6 * 3_600_000;
  const clock = new VirtualClock({ start: Date.now() - spanMs });
  await using store = await openEventStore({ directory, clock, durability: 'os', log: console.error });
  const stepMs = Math.floor((spanMs * batchEvents) / count);
  for (let done = 0; done < count; done += batchEvents) {
    const length = Math.min(batchEvents, count - done);
    const events = Array.from({ length }, (_, index) =>
      renew(samples[(done + index) % samples.length]!, {
        number: done + index,
        atMs: clock.now() - Math.floor((stepMs * (length - index)) / length),
      }),
    );
    await store.append(zoneId, events, monthMs);
    await clock.advance(stepMs);
    if (done % 100_000 === 0) console.error(`${done.toLocaleString('en')} events are written`);
  }
}

/** The same request again, at another time and with a new id. */
function renew(
  { event, judged }: RecordedEvent,
  { number, atMs }: { readonly number: number; readonly atMs: number },
): RecordedEvent {
  const ray = `${atMs.toString(16).padStart(11, '0')}${(number % 0x10_0000).toString(16).padStart(5, '0')}-TEST`;
  const datetime = new Date(atMs).toISOString();
  const renewed = { ...event, id: `${ray}-0`, rayName: ray, originatorRayName: ray, datetime };
  return { event: renewed, ...(judged === undefined ? {} : { judged }) };
}
