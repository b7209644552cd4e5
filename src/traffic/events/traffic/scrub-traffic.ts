/** The counts of requests of a directory that no server runs on; damaged files stay where they are. */
import { Tables } from '#tables';

/** Throws what keeps them from being opened. */
export async function* scrubTraffic(directory: string): ReturnType<Tables['scrub']> {
  const tables = Tables.open({ directory });
  try {
    yield* tables.scrub();
  } finally {
    await tables.close();
  }
}
