/** Checks the request counts of a directory that no server uses; damaged files stay in place. */
import { Tables } from '#tables';

/** Throws an error if they cannot be opened. */
export async function* scrubTraffic(directory: string): ReturnType<Tables['scrub']> {
  const tables = Tables.open({ directory });
  try {
    yield* tables.scrub();
  } finally {
    await tables.close();
  }
}
