/** Lets a test delay the commits of this process, as a busy database does, and refuse them, as a full one does. */
import { DatabaseError } from '#cluster';
import { PostgresDatabase } from '../../src/runtime/cluster/postgres/postgres-database.ts';

interface Gate {
  /** Waits; rejects if the waiting commits are refused. */
  passSync(): Promise<void>;
}

const { commit } = PostgresDatabase.prototype;

/** From now on every commit of this process passes this gate first. */
export function holdCommitsBy(gate: Gate): void {
  PostgresDatabase.prototype.commit = async function passGate(...args) {
    await gate.passSync().catch((cause: unknown) => {
      const message = 'the database of the cluster refuses the commit: a test wants it to';
      throw new DatabaseError(message, { outcome: 'no', reason: 'refused', cause });
    });
    return await commit.apply(this, args);
  };
}
