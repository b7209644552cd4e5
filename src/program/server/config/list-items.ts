/** What the lists among the settings may contain. */
import { isNetwork } from '#addresses';
import { edgeChallenges, isCertificateName } from '#certificates';

export const network = { rule: 'addresses or networks such as 10.0.0.0/8', accepts: isNetwork, max: 200 };
export const networkSource = {
  rule: 'paths that begin with / and addresses that begin with https://',
  accepts: isNetworkSource,
  max: 20,
};
export const worker = {
  rule: 'names of lower-case letters, digits and dashes, each with the path of a project',
  names: /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
  max: 50,
};
export const directoryUrl = { rule: 'addresses that begin with https://', accepts: isDirectoryUrl, max: 10 };
export const challenge = {
  rule: edgeChallenges.join(' and '),
  accepts: (text: string) => (edgeChallenges as readonly string[]).includes(text),
  max: edgeChallenges.length,
};
export const tlsName = { rule: 'host names or addresses', accepts: isCertificateName, max: 50 };

/** Over plain HTTP only from this machine: an attacker who can change the answer decides which networks are trusted. */
function isNetworkSource(text: string): boolean {
  const url = URL.parse(text);
  if (url === null) return text.startsWith('/') && !text.includes('\0');
  return url.protocol === 'https:' || (url.protocol === 'http:' && url.hostname === '127.0.0.1');
}

function isDirectoryUrl(written: string): boolean {
  const url = URL.parse(written);
  return url?.protocol === 'https:' && url.username === '' && url.hash === '';
}
