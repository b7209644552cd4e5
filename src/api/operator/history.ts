/** The history of an object, as a client of the operator door. */
import type { OperatorOperations, ResultOf } from '#contract';
import type { OnProgress } from '#objects';
import type { OperatorAccess } from './operator-client.ts';
import { OperatorError } from './error.ts';
import { pointsPerPage } from './limits.ts';
import type { Moment } from './moment.ts';

/** An object: its class, and its name or the 64 hexadecimal digits of its id. */
export interface ObjectPlace {
  readonly class_name: string;
  readonly object: string;
}

type Point = ResultOf<OperatorOperations['objects.listHistory']>[number];

const path = '/objects/{class_name}/{object}/history';

/** Newest first, up to the wanted number. */
export async function* listHistory(
  { client }: OperatorAccess,
  place: ObjectPlace,
  { limit: wanted, at }: { readonly limit: number; readonly at: Moment | undefined },
): AsyncGenerator<Point, void> {
  let from: Readonly<Record<string, string>> = at === undefined ? {} : toQuery(at);
  // The last point of a page is the first of the next.
  for (let [left, skipped] = [wanted, 0]; left > 0; skipped = 1) {
    const limit = Math.min(left + skipped, pointsPerPage);
    const { result } = await client.get(path, { ...place, query: { ...from, limit } });
    yield* result.slice(skipped);
    left -= result.length - skipped;
    if (result.length < limit) return;
    from = { at: result.at(-1)!.bookmark };
  }
}

/** The bookmark of a moment, if the object has it. */
export async function findBookmark(
  { client }: OperatorAccess,
  place: ObjectPlace,
  at: Moment,
): Promise<string> {
  const { result } = await client.get(path, { ...place, query: { ...toQuery(at), limit: 1 } });
  if ('bookmark' in at) return at.bookmark;
  const [point] = result;
  if (point === undefined)
    throw new OperatorError(
      `${place.class_name} ${place.object} had stored nothing at ${new Date(at.time).toISOString()}: choose a later time; gatehouse objects history lists them`,
    );
  return point.bookmark;
}

/** Restores an object to a moment. Resolves to the bookmark that undoes it. */
export async function restoreObject(
  access: OperatorAccess,
  place: ObjectPlace,
  { at, onProgress }: { readonly at: Moment; readonly onProgress?: OnProgress },
): Promise<string> {
  const { client } = access;
  const bookmark = await findBookmark(access, place, at);
  const { confirm } = (await client.get('/objects/{class_name}/{object}', place)).result;
  const { result } = await client.post('/objects/{class_name}/{object}/restore', {
    ...place,
    body: { bookmark, confirm },
    onProgress,
  });
  return result.undo;
}

function toQuery(at: Moment): Readonly<Record<string, string>> {
  return 'bookmark' in at ? { at: at.bookmark } : { before: new Date(at.time).toISOString() };
}
