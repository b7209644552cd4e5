/** What handlers can ask about whoever called them. */
import type { Actor, Context } from './handler.ts';
import { allGrants, type Grants, noGrants } from './grants.ts';
import type { TokenFacts } from './token.ts';

type Who = Pick<Context, 'actor' | 'directory'>;

/** Ourselves, when nobody asked. */
export const system: Actor = { kind: 'system', userId: '', email: '', address: '' };

/** The token that was used, if it is one and still there. */
export function tokenOf({ actor, directory }: Who): TokenFacts | undefined {
  return actor.tokenId === undefined ? undefined : directory.tokens.get(actor.tokenId)?.facts;
}

export function grantsOf({ actor, directory }: Who): Grants {
  if (actor.tokenId === undefined) return allGrants;
  return directory.tokens.get(actor.tokenId)?.grants ?? noGrants;
}
