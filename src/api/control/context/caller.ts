/** Questions that handlers ask about the caller. */
import type { Actor, Context } from './handler.ts';
import { allGrants, type Grants, noGrants } from './grants.ts';
import type { TokenFacts } from './token.ts';

type Who = Pick<Context, 'actor' | 'directory'>;

/** The program itself, for work without a request. */
export const system: Actor = { kind: 'system', userId: '', email: '', address: '' };

/** The token that authenticated the call, if it was one and still exists. */
export function findToken({ actor, directory }: Who): TokenFacts | undefined {
  return actor.tokenId === undefined ? undefined : directory.tokens.get(actor.tokenId)?.facts;
}

export function findGrants({ actor, directory }: Who): Grants {
  if (actor.tokenId === undefined) return allGrants;
  return directory.tokens.get(actor.tokenId)?.grants ?? noGrants;
}
