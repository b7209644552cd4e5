/** `1 rule`, `1,200 rules`: with the number format of the reader's language. */
export function countThings(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}
