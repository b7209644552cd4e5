/** Who is calling: from the headers of a request to a user, or to the reason why not. */
import { fault, genericCodes } from '#v4';
import type { Directory } from '../directory.ts';
import type { Actor } from '../handler.ts';
import { secretHash } from '../account/secrets.ts';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export function authenticate(directory: Directory, headers: Headers, address: string): Actor {
  const email = headers['x-auth-email'];
  const key = headers['x-auth-key'];
  const user = typeof email === 'string' ? directory.usersByEmail.get(email.toLowerCase()) : undefined;
  if (user === undefined || typeof key !== 'string' || secretHash(key) !== user.keyHash) {
    throw fault(genericCodes.zoneNotFound);
  }
  return { kind: 'key', userId: user.id, email: user.email, address };
}
