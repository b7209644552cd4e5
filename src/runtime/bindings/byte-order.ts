/** The first byte string after all those that start with `prefix`; null if there is none. UTF-8 has no byte 0xff. */
export function successorOf(prefix: Buffer): Buffer | null {
  if (prefix.length === 0) return null;
  const successor = Buffer.from(prefix);
  successor[successor.length - 1]! += 1;
  return successor;
}
