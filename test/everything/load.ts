/** Writes during a backup, in separate stores and objects. */
import { eventually } from '../eventually.ts';
import type { Maker } from './maker.ts';

export interface Load {
  /** Resolves when this many more rounds were acknowledged. */
  rounds(count: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startLoad(maker: Maker): Promise<Load> {
  const { id: namespace_id } = await maker.do('kv.create', {}, { title: 'load' });
  const database = await maker.do('d1.create', {}, { name: 'load' });
  const database_id = database.uuid;
  await maker.do('d1.query', { database_id }, { sql: 'CREATE TABLE t (n)' });
  let done = 0;
  const stopping = new AbortController();
  const writing = (async () => {
    for (let n = 1; !stopping.signal.aborted; n++) {
      await maker.do('kv.writeValue', { namespace_id, key_name: `key ${n % 50}` }, 'x'.repeat(10_000));
      await maker.do('d1.query', { database_id }, { sql: 'INSERT INTO t VALUES (?)', params: [n] });
      done = n;
    }
  })();
  return {
    rounds: async (count) => {
      const target = done + count;
      await Promise.race([writing, eventually(() => done >= target)]);
    },
    stop: async () => {
      stopping.abort();
      await writing;
    },
  };
}
