/**
 * Conditional writes: a write with `If-Match` is executed only if the object that it changes still has one of the
 * versions that the header lists. The object compares inside the transaction of the write, so nothing can intervene.
 */
import { fault, genericCodes, type Operation } from '#contract';

const tagsMax = 20;

/** Returns the acceptable versions of the object; undefined if the request has no condition. */
export function readCondition(
  { isWrite, versionOf }: Pick<Operation, 'isWrite' | 'versionOf'>,
  header: string | readonly string[] | undefined,
): readonly string[] | undefined {
  // A star requires that the resource exists, which every operation on a resource requires anyway.
  if (!isWrite || header === undefined || header === '*') return undefined;
  if (versionOf === undefined) throw fault(genericCodes.conditionNotTaken);
  const tags = String(header)
    .split(',', tagsMax + 1)
    .map((tag) => tag.trim());
  // A weak tag never matches: it does not guarantee that two answers are the same.
  const isReadable =
    tags.length <= tagsMax && tags.every((tag) => /^(?:W\/)?"[\x21\x23-\x7e]{0,100}"$/.test(tag));
  if (!isReadable) throw fault(genericCodes.conditionMalformed);
  return tags.filter((tag) => tag.startsWith('"')).map((tag) => tag.slice(1, -1));
}
