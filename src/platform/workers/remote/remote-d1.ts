/** A D1 database of an account, through the API: implements the calls that `D1Database` makes to its object. */
import type { D1DatabaseObject, D1Outcome, D1Rows } from '#bindings';
import { ApiError } from '#client';
import type { RemoteStore } from './account-api.ts';

const database = '/accounts/{account_id}/d1/database/{database_id}';
const failedCode = 7500;

type Queries = Parameters<D1DatabaseObject['query']>[0];

export class RemoteD1 {
  readonly #store: RemoteStore;

  constructor(store: RemoteStore) {
    this.#store = store;
  }

  /** One transaction. The bookmark is read after it, so it may be that of a later one. */
  async query(queries: Queries, wantsBookmark: boolean): Promise<D1Outcome> {
    const database_id = this.#store.id;
    const batch = queries.map(({ sql, params }) => ({ sql, params: [...params] }));
    return await this.#store.call(async (client, input): Promise<D1Outcome> => {
      try {
        const { result } = await client.post(`${database}/raw`, { ...input, database_id, body: { batch } });
        const results = result.map(
          ({ results: { columns, rows }, meta }) => ({ columns, rows, meta }) as unknown as D1Rows,
        );
        if (!wantsBookmark) return { results, bookmark: undefined };
        const now = await client.get(`${database}/time_travel/bookmark`, { ...input, database_id });
        return { results, bookmark: now.result.bookmark };
      } catch (error) {
        const [entry] = error instanceof ApiError ? error.errors : [];
        if (entry?.code !== failedCode) throw error;
        return { error: entry.message, at: Number(entry.source?.pointer?.split('/')[2] ?? 0) };
      }
    });
  }
}
