import { programRoot, readOwnFile } from '#base';

export function readVersion(): string {
  const text = readOwnFile(new URL('package.json', programRoot)).toString();
  return (JSON.parse(text) as { version: string }).version;
}
