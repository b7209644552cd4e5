/**
 * Whether a request carries credentials by which sites recognise their users: an `Authorization` header, or a cookie
 * with the name of a session. It is a guess by names: on a site with another name for its session cookie, no request
 * matches.
 */
import { visitCookies } from './pairs.ts';

const sessionName = /sess|sid$|^sid|auth|token|login|logged|remember|jwt/i;

export function isSignedIn(headers: Iterable<readonly [name: string, value: string]>): boolean {
  for (const [name, value] of headers) {
    if (name.length === 13 && name.toLowerCase() === 'authorization') return true;
    if (name.length === 6 && name.toLowerCase() === 'cookie' && hasSession(value)) return true;
  }
  return false;
}

function hasSession(cookies: string): boolean {
  let isFound = false;
  visitCookies(cookies, (start, nameEnd, valueStart) => {
    isFound ||= nameEnd < valueStart && sessionName.test(cookies.slice(start, nameEnd));
  });
  return isFound;
}
