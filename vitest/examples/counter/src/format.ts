export function format(value: number): string {
  return `count ${value}`;
}
