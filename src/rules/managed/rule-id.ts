/**
 * Ids that are the same in every installation and in every version, because they are derived from names: the first 32
 * hexadecimal digits of the SHA-256 of the container's id, a slash, and the name within it. A rule of the managed ruleset is
 * named by its legacy id, a group by its title.
 */
import { hash } from 'node:crypto';

export function deriveId(container: string, name: string): string {
  return hash('sha256', `${container}/${name}`).slice(0, 32);
}
