/** An unused name for something that is set aside: the prefix and the smallest free number from 1. */
export function findFreeName(prefix: string, isTaken: (name: string) => boolean): string {
  let number = 1;
  while (isTaken(`${prefix}-${number}`)) number++;
  return `${prefix}-${number}`;
}
