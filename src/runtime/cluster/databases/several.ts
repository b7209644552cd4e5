/** Queries several databases as if they were one. */
import { DatabaseError } from '../errors.ts';

/** The answers of the sources that respond; rejects only if none does. */
export async function askThoseThatAnswer<Source, Answer>(
  sources: readonly Source[],
  ask: (source: Source) => Promise<Answer>,
): Promise<Answer[]> {
  const results = await Promise.allSettled(sources.map(ask));
  const answers: Answer[] = [];
  let failure: PromiseRejectedResult | undefined;
  for (const result of results) {
    if (result.status === 'fulfilled') answers.push(result.value);
    else if (result.reason instanceof DatabaseError) failure ??= result;
    else throw result.reason;
  }
  if (answers.length === 0 && failure !== undefined) throw failure.reason;
  return answers;
}

/** Merges lists that are sorted by key. */
export async function* mergeByKey<Row extends { readonly object: string }>(
  lists: ReadonlyArray<AsyncGenerator<Row>>,
): AsyncGenerator<Row> {
  const heads = await Promise.all(lists.map(async (list) => ({ list, next: await list.next() })));
  for (;;) {
    let least: (typeof heads)[number] | undefined;
    for (const head of heads) {
      if (head.next.done === true) continue;
      if (least === undefined || head.next.value.object < least.next.value.object) least = head;
    }
    if (least === undefined) return;
    yield least.next.value as Row;
    least.next = await least.list.next();
  }
}
