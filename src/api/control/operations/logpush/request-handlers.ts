/** Requests that separate edges have served, for the Logpush jobs of their zones. */
import type { LogRecord } from '#logpush';
import { ok } from '#contract';
import type { ObjectsHandlers } from '../several-objects.ts';

export const logpushRequestHandlers: ObjectsHandlers<'logpushRequests'> = {
  async 'logpushRequests.record'({ pushRequests }, { body: { zones } }) {
    let records = 0;
    for (const [zoneId, given] of Object.entries(zones)) {
      const sound = given.map(toRecord);
      pushRequests(zoneId, sound);
      records += sound.length;
    }
    return ok({ records });
  },
};

/** Fields that are neither text nor a number are dropped. */
function toRecord(given: Readonly<Record<string, unknown>>): LogRecord {
  const entries = Object.entries(given).filter(
    (entry): entry is [string, string | number] =>
      typeof entry[1] === 'string' || typeof entry[1] === 'number',
  );
  return Object.fromEntries(entries);
}
