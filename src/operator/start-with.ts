/** A sequence whose first item was taken to see whether it can begin. */
export async function* startWith<T>(
  first: IteratorResult<T, void>,
  rest: AsyncIterator<T, void>,
): AsyncGenerator<T, void> {
  try {
    for (let next = first; next.done !== true; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
