/**
 * Writes that never overwrite unseen changes. The resource is read again and compared with what the reader saw; the
 * write is then sent on the condition that nothing has changed since that read.
 *
 * The server compares the version of the whole zone or account. If the write is refused because another part of it was
 * changed, reading and comparing starts over.
 */
import { ApiError } from '#client';

/** The version of the zone or account that an answer came from. */
export type SeenVersion = string | undefined;

const conditionFailed = 10412;
const attemptsMax = 5;

/**
 * `look` reads again, throws if the result differs from what the reader saw, and returns the version that it read.
 * `write` sends the change on that condition; if it sends several, each uses the version of the previous answer.
 */
export async function writeUnlessChanged<Answer>(
  look: () => Promise<SeenVersion>,
  write: (version: SeenVersion) => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const version = await look();
    try {
      return await write(version);
    } catch (error) {
      const isOvertaken = error instanceof ApiError && error.has(conditionFailed);
      if (!isOvertaken || attempt === attemptsMax) throw error;
    }
  }
}

/** Whether two answers of the API are the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
