/** Every page of a list, for lists that are small enough to be shown whole. */
import { callApi, type CallOptions } from './client.ts';

const pagesMax = 40;

export async function getAll<Item>(
  path: string,
  { query, signal }: Omit<CallOptions, 'body'> = {},
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let page = 1; page <= pagesMax; page += 1) {
    const answer = await callApi<readonly Item[]>('GET', path, {
      query: { per_page: 50, ...query, page },
      signal,
    });
    items.push(...answer.result);
    if (page >= (answer.result_info?.total_pages ?? 1)) break;
  }
  return items;
}
