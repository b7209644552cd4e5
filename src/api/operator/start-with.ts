import { releaseAfter } from '#work';

/** A sequence whose first item was read in advance, to see whether it can start. */
export function startWith<T>(
  first: IteratorResult<T, void>,
  rest: AsyncIterator<T, void>,
): AsyncIterableIterator<T, void> {
  return releaseAfter(continueFrom(first, rest), () => rest.return?.());
}

async function* continueFrom<T>(
  first: IteratorResult<T, void>,
  rest: AsyncIterator<T, void>,
): AsyncGenerator<T, void> {
  for (let next = first; next.done !== true; next = await rest.next()) yield next.value;
}
