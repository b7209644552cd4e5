/** `1 rule`, `1,200 rules`: as the reader's language writes numbers. */
export function countThings(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}
