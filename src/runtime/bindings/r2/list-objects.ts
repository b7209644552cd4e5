/** Lists a bucket in the order of its keys' UTF-8 bytes; keys that contain a delimiter are grouped by prefix. */
import { successorOf } from '../byte-order.ts';
import type { ObjectTable } from './object-table.ts';
import type { Listing, ListRequest, ObjectRecord } from './r2-records.ts';

export function listObjects(table: ObjectTable, request: ListRequest): Listing {
  const { prefix, delimiter, limit } = request;
  const prefixBytes = Buffer.from(prefix);
  const end = successorOf(prefixBytes);
  let first = startOf(request, prefixBytes);
  const objects: ObjectRecord[] = [];
  const prefixes: string[] = [];
  for (;;) {
    const left = limit - objects.length - prefixes.length;
    // One more, to find out whether there are more. With a delimiter, each key may make the list skip a prefix.
    const found = table.range(first, end, delimiter === '' ? left + 1 : 1);
    const [next] = found;
    if (next === undefined) return { objects, prefixes, cursor: undefined };
    if (left === 0) return { objects, prefixes, cursor: Buffer.from(next.key).toString('base64') };
    const at = delimiter === '' ? -1 : next.key.indexOf(delimiter, prefix.length);
    if (at === -1) {
      const taken = found.slice(0, left);
      objects.push(...taken);
      first = Buffer.from(`${taken.at(-1)!.key}\0`);
    } else {
      const folded = next.key.slice(0, at + delimiter.length);
      prefixes.push(folded);
      first = successorOf(Buffer.from(folded))!;
    }
  }
}

function startOf({ cursor, startAfter }: ListRequest, prefix: Buffer): Buffer {
  const starts = [prefix];
  if (cursor !== undefined) starts.push(Buffer.from(cursor, 'base64'));
  if (startAfter !== undefined) starts.push(Buffer.from(`${startAfter}\0`));
  return starts.reduce((latest, each) => (latest.compare(each) < 0 ? each : latest));
}
