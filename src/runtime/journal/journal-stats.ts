/** Counters of a journal for monitoring, since it was opened. */
import { Distribution } from '#base';

/** In seconds: a disk with a write cache that survives a power cut takes well under a millisecond, a spinning one ten. */
const syncBoundsSeconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export class JournalStats {
  /** How long each `fdatasync` of a batch took, in seconds. */
  readonly syncSeconds = new Distribution(syncBoundsSeconds);
  /** Bytes of records that became durable. */
  writtenBytes = 0;
  records = 0;
}
