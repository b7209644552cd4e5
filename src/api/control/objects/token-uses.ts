/**
 * The last use of each token, in an object of its own: data that changes with every call does not belong in the
 * account, whose writes reach every edge. There is one object, named `token-uses`.
 */
import { LocatedObject } from './located-object.ts';

/** The name of the only object. */
export const tokenUsesName = 'token-uses';

/** The most keys in one call of the storage. */
const keysMax = 128;

export type TokenUse = readonly [tokenId: string, usedAtMs: number];

export class TokenUses extends LocatedObject {
  async list(): Promise<TokenUse[]> {
    return [...(await this.ctx.storage.list<number>())];
  }

  async record(uses: readonly TokenUse[], deleted: readonly string[]): Promise<void> {
    for (let start = 0; start < uses.length; start += keysMax) {
      const part = uses.slice(start, start + keysMax);
      const known = await this.ctx.storage.get<number>(part.map(([tokenId]) => tokenId));
      // Each host of a cluster writes the uses that it has seen.
      const later = part.filter(([tokenId, usedAtMs]) => usedAtMs > (known.get(tokenId) ?? 0));
      if (later.length > 0) await this.ctx.storage.put(Object.fromEntries(later));
    }
    for (let start = 0; start < deleted.length; start += keysMax) {
      await this.ctx.storage.delete(deleted.slice(start, start + keysMax));
    }
  }
}
