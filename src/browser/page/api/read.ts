/**
 * Reads of the API as queries. The key of a query consists of the parts of its path, so that everything below a path
 * can be read again at once: `['zones', id]` covers all reads of a zone.
 */
import { queryOptions } from '@tanstack/react-query';
import { fillPath, type GetInput as Input, type GetPath } from '#client';
import { client, collect, resultOf } from './client.ts';

/** The answer of the server. */
export function read<P extends GetPath>(path: P, ...[input]: Input<P>) {
  return queryOptions({
    queryKey: keyOf(path, input),
    queryFn: ({ signal }) => resultOf(client.get(path, ...withSignal<P>(input, signal))),
  });
}

/** The items of all pages. */
export function readAll<P extends GetPath>(path: P, ...[input]: Input<P>) {
  return queryOptions({
    queryKey: [...keyOf(path, input), 'all'],
    queryFn: ({ signal }) => collect(client.list(path, ...withSignal<P>(input, signal))),
  });
}

/** The answer with the server's notes. */
export function readWithNotes<P extends GetPath>(path: P, ...[input]: Input<P>) {
  return queryOptions({
    queryKey: [...keyOf(path, input), 'notes'],
    async queryFn({ signal }) {
      const { result, messages } = await client.get(path, ...withSignal<P>(input, signal));
      return { result, notes: messages };
    },
  });
}

export function keyOf(path: string, input: object = {}): readonly unknown[] {
  const { query = {} } = input as { readonly query?: object };
  return [
    ...fillPath(path, input as Readonly<Record<string, unknown>>)
      .split('/')
      .slice(1),
    query,
  ];
}

function withSignal<P extends GetPath>(input: object | undefined, signal: AbortSignal): Input<P> {
  return [{ ...input, signal }] as unknown as Input<P>;
}
